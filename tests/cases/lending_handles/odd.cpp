#include "odd.h"
Clock &Clock::instance() {
  static Clock clock;
  return clock;
}
int Clock::after(int k) const { return now_ + k; }
int lent(View<Clock> clock, int k) { return clock->after(k) * 2; }
Maybe<Point> Point::parse(int n) { return n > 40 ? Maybe<Point>(Point(n & 7)) : Maybe<Point>(); }
int Point::scaled(int k) const { return n_ * 3 + (k & 15); }
int Wheel::turned(int k) const { return k > n_ ? 1 : 2; }
int asked(const View<Point> &point, const std::shared_ptr<int> &offset) {
  return offset ? point->scaled(*offset) : 7;
}
