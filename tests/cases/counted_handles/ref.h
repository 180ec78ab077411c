#pragma once
class Counted {
 public:
  void ref() { ++count_; }
  void unref() { if (--count_ == 0) delete this; }

 protected:
  virtual ~Counted() = default;

 private:
  int count_ = 0;
};
template <class T> class Ref {
 public:
  Ref() : p_(nullptr) {}
  Ref(T *p) : p_(p) { if (p_) p_->ref(); }
  Ref(const Ref &o) : p_(o.p_) { if (p_) p_->ref(); }
  template <class U> Ref(const Ref<U> &o) : p_(o.get()) { if (p_) p_->ref(); }
  ~Ref() { if (p_) p_->unref(); }
  Ref &operator=(const Ref &o) {
    if (o.p_) o.p_->ref();
    if (p_) p_->unref();
    p_ = o.p_;
    return *this;
  }
  T *operator->() const { return p_; }
  T &operator*() const { return *p_; }
  T *get() const { return p_; }
  explicit operator bool() const { return p_ != nullptr; }

 private:
  T *p_;
};
class Node : public Counted {
 public:
  explicit Node(int n) : n_(n) {}
  int value(int k) const;

 protected:
  ~Node() override = default;

 private:
  int n_;
};
int weight(const Ref<Node> &node, int k);
class Tree {
 public:
  explicit Tree(Ref<Node> root) : root_(root) {}
  int sum(int k) const;
  Ref<Node> root() const { return root_; }

 private:
  Ref<Node> root_;
};
