#pragma once

#include <string>

/// Counts who holds a step.
template <class T>
class Hold {
  T *to_ = nullptr;
  void take() { if (to_) ++to_->holders; }
  void drop() { if (to_ && --to_->holders == 0) delete to_; }

 public:
  Hold() = default;
  explicit Hold(T *to) : to_(to) { take(); }
  Hold(const Hold &other) : to_(other.to_) { take(); }
  template <class Y>
  Hold(const Hold<Y> &other) : to_(other.get()) { take(); }
  Hold &operator=(const Hold &other) {
    if (to_ != other.to_) { drop(); to_ = other.to_; take(); }
    return *this;
  }
  ~Hold() { drop(); }
  T *get() const { return to_; }
  T *operator->() const { return to_; }
  T &operator*() const { return *to_; }
};

class Step {
 public:
  virtual ~Step() = default;
  virtual int kind() const { return 0; }
  int holders = 0;

 protected:
  Step() = default;
};

class Burn : public Step {
 public:
  static Hold<Burn> create() { return Hold<Burn>(new Burn); }
  int kind() const override { return 1; }
  void setSeconds(int seconds) { seconds_ = seconds; }
  int seconds() const { return seconds_; }

 private:
  Burn() = default;
  int seconds_ = 1;
};

class Turn : public Step {
 public:
  static Hold<Turn> create() { return Hold<Turn>(new Turn); }
  int kind() const override { return 2; }
  int degrees() const { return 90; }

 private:
  Turn() = default;
};

/// Reads a step from text; none from nearly all texts.
Hold<Step> readStep(const std::string &text);

/// The energy that a step takes.
int energy(const Hold<Step> &step);
