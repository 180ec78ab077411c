#pragma once
namespace shapes {
class Shape {
 public:
  enum { SPHERE, BOX = 4, TUBE } type;
  virtual ~Shape() {}
};
class Box : public Shape {
 public:
  Box() : side(0) { type = BOX; }
  void clear() { side = 0; }
  int side;
};
}  // namespace shapes
