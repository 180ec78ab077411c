#include "meter.h"

class Meter::Range {
 public:
  Range() : least_(-100), most_(100) {}
  int within(int value) const { return value < least_ ? least_ : value > most_ ? most_ : value; }

 private:
  int least_, most_;
};

struct Meter::Inner {
  Inner() : sum(1) {}
  void add(int steps);
  int sum;
  Range range;
};

void Meter::Inner::add(int steps) {
  sum = range.within(sum + steps);
}

Meter::Meter() : inner_(new Inner) {}
Meter::Meter(const Meter &other) : inner_(new Inner(*other.inner_)) {}
Meter::~Meter() { delete inner_; }

void Meter::count(int steps) {
  if (steps > 2) inner_->add(steps * 2);
}

int Meter::read() const { return inner_->sum; }
