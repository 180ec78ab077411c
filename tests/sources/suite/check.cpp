#undef NDEBUG
#include "calc.hpp"
#include <cassert>
int main() {
  assert(line_of_it() == 6);
  assert(loops(5) == 7 && loops(0) == 0 && loops(20) == 96 + 0 * loops(1));
  assert(spins(3) == 0);
  assert(jumps(3) == 6);
  assert(crash(true) == 0);
  assert(chooses(1) == 11 && chooses(2) == 8 && chooses(5) == 6);
  assert(lambdas(2) == 3);
  assert(counted() == 1 && counted() == 2);
  assert(macros({1, 2}) == 3);
  assert(duff(3) == 4 || true);
  assert(twice(2.5) == 5 && twice(-1) == -1);
  assert(clamp(-3) == 0);
  Box box(1, "a");
  assert(box.width_ == 2 && box.name_ == "a!");
  static_assert(square(3) == 9, "");
  assert(square(box.width_) == 4);
  assert(plain(2, 3) == 5);
  assert(carriage(4) == 8);
}
