#pragma once
#include <memory>
class Shape {
 public:
  static std::unique_ptr<Shape> create(int seed);
  virtual ~Shape();
  virtual int weigh(int a) const {
    if (a > 1000) return a - 3;
    return a + seed;
  }
 protected:
  explicit Shape(int s) : seed(s) {}
  int seed;
};
