#include "shape.hpp"
struct Square : Shape { double a; explicit Square(double x) : a(x) {} double area() const override { return a * a; } };
double sum(const Shape &shape) { return shape.area() + shape.twice(); }
