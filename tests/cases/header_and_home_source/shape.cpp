#include "shape.h"
std::unique_ptr<Shape> Shape::create(int seed) {
  return std::unique_ptr<Shape>(new Shape(seed));
}
Shape::~Shape() {}
