#include "shapes.h"
Shape::~Shape() {}
int Shape::sides(int n) const { return corners() + n; }
int Shape::twice(int n) const { return 2 * n + corners(); }
int Box::corners() const { return 4; }
int Box::room(int by) const { return by + 1; }
int Box::area() const { return 16; }
