#include "shape.hpp"
struct Round : Shape { double r; explicit Round(double x) : r(x) {} double area() const override { return 3 * r * r; } };
static int quarter(int x) { return x / 4; }
int part(int x) { return quarter(x); }
