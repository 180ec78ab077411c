#ifndef WALK_H
#define WALK_H

struct Node {
  int value = 0;
};

template <typename T>
class Walker {
 public:
  virtual ~Walker() = default;
  T walk(const Node *node, T parent) { return post_visit(node, parent); }

 protected:
  virtual T post_visit(const Node *node, T parent) = 0;
};

class Depth : public Walker<int> {
 protected:
  int post_visit(const Node *, int parent) override { return parent + 1; }
};

class Highest : public Walker<const Node *> {
 protected:
  const Node *post_visit(const Node *node, const Node *parent) override;

 private:
  static bool is_higher(const Node *node, const Node *than);
};

#endif
