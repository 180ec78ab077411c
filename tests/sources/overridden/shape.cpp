#include <memory>
struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Circle : Shape {
  explicit Circle(int n) : radius(n) {}
  int area() const override { return 7; }
  int radius;
};
std::unique_ptr<Shape> grown(int n) { return std::make_unique<Circle>(n ^ 8); }
