#include "calc.hpp"
#define LIMIT(x) ((x) > 10 ? 10 : (x))
int line_of_it() {
  int a = 1;
  return a + __LINE__;
}
int loops(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i == 3) continue;
    sum += i;
  }
  while (sum > 100)
    sum -= 7;
  return sum;
}
int spins(int n) {
  volatile int left = n;
  while (left > 0) left = left - 1;
  return left;
}
int jumps(int n) {
  int r = 0;
again:
  if (n > 0) {
    r += n;
    n--;
    goto again;
  }
  return r;
}
int crash(bool on) {
  int value = 4;
  int *p = on ? nullptr : &value;
  return on ? 0 : *p;
}
int nobody(int n) { return n * 2; }
int chooses(int n) {
  switch (n) {
  case 1: n += 10; break;
  case 2: n = 7; [[fallthrough]];
  default: n++;
  }
  return n;
}
int lambdas(int n) {
  auto add = [n](int m) { return n + m; };
  return add(1);
}
int counted() {
  static int calls = 0;
  calls++;
  return calls;
}
std::size_t macros(const std::vector<int> &v) {
  std::size_t n = LIMIT(v.size());
#ifdef NEVER
  n = 0;
#else
  n = n + 1;
#endif
  return n;
}
int duff(int n) {
  int r = 0;
  switch (n % 2) {
    do {
      r += 2;
  case 1:
      r += 1;
  case 0:
      n -= 2;
    } while (n > 0);
  }
  return r;
}
