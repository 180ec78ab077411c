#pragma once
int twice(int n);
#ifdef TWICE_IMPLEMENTATION
class Doubler {
 public:
  int of(int n) const { return n / 2 * 4; }
};
int twice(int n) { return Doubler().of(n) / 2; }
#endif
