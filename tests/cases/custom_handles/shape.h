#pragma once
#include <memory>
#include <utility>
template <class P> struct element_of { using type = typename std::pointer_traits<P>::element_type; };
template <class P> class nn {
 public:
  using element_type = typename element_of<P>::type;
  explicit nn(int, P p) : p_(std::move(p)) {}
  template <class O> nn(const nn<O> &other) : p_(static_cast<const O &>(other)) {}
  element_type &operator*() const { return *p_; }
  element_type *operator->() const { return &*p_; }
  operator const P &() const & { return p_; }
  operator bool() const = delete;

 private:
  P p_;
};
class Shape {
 public:
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
class Circle;
using ShapeNN = nn<std::shared_ptr<Shape>>;
using CircleNN = nn<std::shared_ptr<Circle>>;
class Circle : public Shape {
 public:
  Circle(const Circle &) = delete;
  static CircleNN create(int radius);
  int area() const override;
  int side(int n) const;

 private:
  explicit Circle(int radius) : radius_(radius) {}
  int radius_;
};
class Pair {
 public:
  static nn<std::shared_ptr<Pair>> create(const CircleNN &one, const ShapeNN &other);
  int both(int n) const;

 private:
  Pair(const CircleNN &one, const ShapeNN &other) : one_(one), other_(other) {}
  CircleNN one_;
  ShapeNN other_;
};
int doubled(const ShapeNN &shape);
int shared(const std::shared_ptr<Circle> &circle, int n);
