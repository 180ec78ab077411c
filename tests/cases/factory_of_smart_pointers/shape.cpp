#include <memory>
#include <vector>
struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
class Box : public Shape {
  int side_;
  explicit Box(int side) : side_(side) {}
 public:
  static std::unique_ptr<Box> make(int side) { return std::unique_ptr<Box>(new Box(side)); }
  int area() const override { return side_; }
};
struct Dot : Shape {
  int area() const override { return 0; }
};
int twice(const Shape &shape) {
  return 2 + shape.area();
}
int all(const std::vector<std::unique_ptr<Shape>> &shapes) {
  int sum = 0;
  for (const auto &shape : shapes) sum += shape->area();
  return sum;
}
