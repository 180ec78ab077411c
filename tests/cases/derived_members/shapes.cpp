#include "shapes.h"
std::unique_ptr<Shape> circle(int n) { return std::unique_ptr<Shape>(new Circle(n | 2, n | 4)); }
std::vector<std::shared_ptr<Shape>> squares(int n) {
  std::vector<std::shared_ptr<Shape>> all;
  for (int at = n & 3; at >= 0; --at) all.push_back(std::make_shared<Square>(at ^ 8));
  return all;
}
namespace {
struct Hidden : Shape {
  explicit Hidden(int n) : Shape(n) {}
  int area() const override { return 7; }
  int more = 1;
};
}
void fill(int n, std::unique_ptr<Shape> &out) {
  if (n > 5) out.reset(new Hidden(n));
  else out.reset(new Circle(1, n ^ 16));
}
Left *twice(int n) {
  static Twice one;
  static Left other;
  return n > 0 ? &one : &other;
}
