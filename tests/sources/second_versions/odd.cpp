#include "odd.h"
static int table[8];
static bool begun;
static Odd shared(5);
static const int first = shared.filled(0);
Odd::Odd(int n) try {
  n_ = n * 2;
  if (n > 5) throw n;
} catch (int) {
  n_ = 0;
}
int Odd::filled(int at) {
  if (!begun) {
    for (int k = 0; k < 8; ++k) table[k] = k * 3;
    begun = true;
  }
  return table[at & 7] + first - first + weigh(*this);
}
int Odd::stepped(int by) const {
  int steps = by;
#include "steps.inc"
  return steps + weigh(*this);
}
