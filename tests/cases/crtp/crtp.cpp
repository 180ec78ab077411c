#include "crtp.h"
double total(const Shape<Square> &one, const Shape<Circle> &other) { return one.area() - other.area(); }
int use(Square &s) { return measure(s, 3); }
double Holder::area(int k) const { return shape_->area() + (k & 7); }
