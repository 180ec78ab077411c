//! The project's own smart pointers: what they lead to is driven by way of them, and they are given to what takes them.

use crate::support::{Project, all_die};

const SHAPE_H: &str = "#pragma once\n#include <memory>\n#include <utility>\ntemplate <class P> struct element_of { using type = \
    typename std::pointer_traits<P>::element_type; };\n\
    template <class P> class nn {\n public:\n  using element_type = typename element_of<P>::type;\n  explicit nn(int, P p) : p_(std::move(p)) {}\n  \
    template <class O> nn(const nn<O> &other) : p_(static_cast<const O &>(other)) {}\n  element_type &operator*() const { return *p_; }\n  \
    element_type *operator->() const { return &*p_; }\n  operator const P &() const & { return p_; }\n  operator bool() const = delete;\n\n \
    private:\n  P p_;\n};\n\
    class Shape {\n public:\n  virtual ~Shape() = default;\n  virtual int area() const = 0;\n};\nclass Circle;\n\
    using ShapeNN = nn<std::shared_ptr<Shape>>;\nusing CircleNN = nn<std::shared_ptr<Circle>>;\n\
    class Circle : public Shape {\n public:\n  Circle(const Circle &) = delete;\n  static CircleNN create(int radius);\n  int area() const override;\n  int side(int n) const;\n\n \
    private:\n  explicit Circle(int radius) : radius_(radius) {}\n  int radius_;\n};\n\
    class Pair {\n public:\n  static nn<std::shared_ptr<Pair>> create(const CircleNN &one, const ShapeNN &other);\n  int both(int n) const;\n\n \
    private:\n  Pair(const CircleNN &one, const ShapeNN &other) : one_(one), other_(other) {}\n  CircleNN one_;\n  ShapeNN other_;\n};\n\
    int doubled(const ShapeNN &shape);\nint shared(const std::shared_ptr<Circle> &circle, int n);\n";
const SHAPE: &str = "#include \"shape.h\"\nCircleNN Circle::create(int radius) { return CircleNN(0, std::shared_ptr<Circle>(new Circle(radius & 15))); }\n\
    int Circle::area() const { return radius_ * radius_ + 3; }\n\
    int Circle::side(int n) const { return n > radius_ ? n : radius_; }\n\
    nn<std::shared_ptr<Pair>> Pair::create(const CircleNN &one, const ShapeNN &other) {\n  \
    return nn<std::shared_ptr<Pair>>(0, std::shared_ptr<Pair>(new Pair(one, other)));\n}\n\
    int Pair::both(int n) const { return one_->area() + other_->area() + (n & 7); }\n\
    int doubled(const ShapeNN &shape) { return shape->area() * 2; }\n\
    int shared(const std::shared_ptr<Circle> &circle, int n) { return circle->side(n) + 5; }\n";

#[test]
fn objects_that_only_handles_lead_to_are_driven_and_handles_of_derived_classes_are_given_for_those_of_a_base() {
    let project = Project::of(&[("shape.h", SHAPE_H), ("shape.cpp", SHAPE)]);
    let mutants = [
        ("shape.mut.3.1_1_1.ICR.area.cpp", "radius_ + 3", "radius_ + 4"),
        ("shape.mut.4.1_1_1.ROR.side.cpp", "n > radius_", "n < radius_"),
        ("shape.mut.8.1_1_1.ICR.both.cpp", "n & 7", "n & 3"),
        ("shape.mut.9.1_1_1.ICR.doubled.cpp", "* 2", "* 3"),
        ("shape.mut.10.1_1_1.ICR.shared.cpp", "+ 5", "+ 6"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    let test = outcome.mutants()["shape.mut.4.1_1_1.ROR.side.cpp"]["kill"]["test"].as_str().unwrap().to_owned();
    let text = project.read(format!("motif.out/{}", test.split_once('#').unwrap().0));
    assert!(text.contains("Circle::create(") && text.contains("Circle &object = *object_handle;"), "{text}");
}

const ODD_H: &str = "#pragma once\n#include <memory>\n#include <new>\n#include <utility>\n\
    template <class T> class View {\n public:\n  explicit View(T *p) : p_(p) {}\n  T *operator->() const { return p_; }\n  \
    T &operator*() const { return *p_; }\n\n private:\n  T *const p_;\n};\n\
    class Clock {\n public:\n  static Clock &instance();\n  Clock(const Clock &) = delete;\n  Clock &operator=(const Clock &) = delete;\n  \
    int after(int k) const;\n\n private:\n  Clock() = default;\n  int now_ = 4;\n};\nint lent(View<Clock> clock, int k);\n\
    template <class T> class Maybe {\n public:\n  Maybe() = default;\n  explicit Maybe(const T &t) : has_(true) { new (room_) T(t); }\n  \
    T *operator->() const { return at(); }\n  T &operator*() const { return *at(); }\n  explicit operator bool() const { return has_; }\n\n \
    private:\n  T *at() const { return reinterpret_cast<T *>(const_cast<unsigned char *>(room_)); }\n  alignas(T) unsigned char room_[sizeof(T)];\n  \
    bool has_ = false;\n};\n\
    class Point {\n public:\n  static Maybe<Point> parse(int n);\n  int scaled(int k) const;\n\n private:\n  explicit Point(int n) : n_(n) {}\n  int n_;\n};\n\
    class Wheel {\n public:\n  int turned(int k) const;\n\n private:\n  friend class Cart;\n  explicit Wheel(int n) : n_(n) {}\n  int n_;\n};\n\
    class Kept {\n public:\n  explicit Kept(Wheel *wheel) : wheel_(wheel) {}\n  Kept(Kept &&) = default;\n  Wheel *operator->() const { return wheel_.get(); }\n  \
    Wheel &operator*() const { return *wheel_; }\n\n private:\n  std::unique_ptr<Wheel> wheel_;\n};\n\
    class Cart {\n public:\n  explicit Cart(int n) : wheel_(new Wheel(n)) {}\n  const Kept &wheel() const { return wheel_; }\n\n private:\n  Kept wheel_;\n};\n\
    int asked(const View<Point> &point, const std::shared_ptr<int> &offset);\n";
const ODD: &str = "#include \"odd.h\"\nClock &Clock::instance() {\n  static Clock clock;\n  return clock;\n}\n\
    int Clock::after(int k) const { return now_ + k; }\nint lent(View<Clock> clock, int k) { return clock->after(k) * 2; }\n\
    Maybe<Point> Point::parse(int n) { return n > 40 ? Maybe<Point>(Point(n & 7)) : Maybe<Point>(); }\n\
    int Point::scaled(int k) const { return n_ * 3 + (k & 15); }\nint Wheel::turned(int k) const { return k > n_ ? 1 : 2; }\n\
    int asked(const View<Point> &point, const std::shared_ptr<int> &offset) {\n  return offset ? point->scaled(*offset) : 7;\n}\n";

#[test]
fn what_is_lent_is_not_handed_over_and_what_is_empty_or_can_not_be_copied_is_left_so() {
    let project = Project::of(&[("odd.h", ODD_H), ("odd.cpp", ODD)]);
    let mutants = [
        ("odd.mut.7.1_1_1.ICR.lent.cpp", "* 2", "* 3"),
        ("odd.mut.9.1_1_1.ICR.scaled.cpp", "n_ * 3", "n_ * 4"),
        ("odd.mut.10.1_1_1.ROR.turned.cpp", "k > n_", "k < n_"),
        ("odd.mut.12.1_1_1.ICR.asked.cpp", ": 7", ": 8"),
    ];
    let outcome = all_die(&project, "1s", &mutants);
    for unit in outcome.0["units"].as_array().unwrap() {
        assert!(unit.get("suspected_faults").is_none(), "{unit}");
    }
}
