#pragma once
#include <memory>
#include <string>
#include <vector>
template <class D> struct Shape {
  double area() const { return static_cast<const D *>(this)->areaImpl() + 1; }
  int twice(int k) { return static_cast<D *>(this)->count(k) * 2; }
  D &self() { return static_cast<D &>(*this); }
  int id = 0;
};
struct Square : Shape<Square> { double side = 2; double areaImpl() const { return side * side; }
  int count(int k) { return k + 4; } };
class Circle : public Shape<Circle> { public: explicit Circle(double r) : r_(r) {} double areaImpl() const {
  return r_ * 3; } int count(int k) { return k | 8; } private: double r_; };
template <class D, class V = int> class Builder {
 public:
  D &with(V v) { value_ = v + V(); value_ += V(); return derived(); }
  V value() const { return value_; }
 protected:
  D &derived() { return *static_cast<D *>(this); }
  V value_{};
};
class Car : public Builder<Car> { public: int wheels(int k) const { return value_ + k; } };
class Text : public Builder<Text, std::string> { public: int length() const {
  return static_cast<int>(value_.size()) + 64; } };
double total(const Shape<Square> &one, const Shape<Circle> &other);
template <class D> int measure(Shape<D> &shape, int k) { return shape.twice(k) + 128; }
int use(Square &s);
class Holder { public: explicit Holder(Shape<Circle> *shape) : shape_(shape) {} double area(int k) const;
  private: Shape<Circle> *shape_; };
template <class T> class Counted { public: static int count() { return 5; } int own(int k) const {
  return k + 256; } };
class Plain : public Counted<Plain> {};
