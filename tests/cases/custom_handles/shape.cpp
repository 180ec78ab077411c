#include "shape.h"
CircleNN Circle::create(int radius) { return CircleNN(0, std::shared_ptr<Circle>(new Circle(radius & 15))); }
int Circle::area() const { return radius_ * radius_ + 3; }
int Circle::side(int n) const { return n > radius_ ? n : radius_; }
nn<std::shared_ptr<Pair>> Pair::create(const CircleNN &one, const ShapeNN &other) {
  return nn<std::shared_ptr<Pair>>(0, std::shared_ptr<Pair>(new Pair(one, other)));
}
int Pair::both(int n) const { return one_->area() + other_->area() + (n & 7); }
int doubled(const ShapeNN &shape) { return shape->area() * 2; }
int shared(const std::shared_ptr<Circle> &circle, int n) { return circle->side(n) + 5; }
