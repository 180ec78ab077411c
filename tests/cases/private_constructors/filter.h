#pragma once
#include <vector>
class Filter {
 public:
  static std::vector<int> above(int least, const std::vector<int> &from);
  void visit(int at);
  int sum(int by) const;

 private:
  explicit Filter(int least) : least_(least) {}
  int least_;
  std::vector<int> found_;
};
class Registry {
 public:
  static int total(int n);
  void add(int n) { count_ += n; }
  int count(int by) const;

 private:
  Registry() = default;
  ~Registry() = default;
  Registry(const Registry &) = delete;
  int count_ = 0;
};
