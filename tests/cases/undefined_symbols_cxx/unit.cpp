#include "hal.hpp"
int level() {
  return hal::current().id * 3;
}
int taken(int x) {
  auto s = hal::take();
  return s ? s->id + x : 5;
}
int fetched() {
  int v;
  hal::fetch(v);
  return v + 4;
}
int copied() {
  char b[4] = {0, 0, 0, 0};
  hal::copy(b, 4);
  return b[2] * 2 + hal::calls(b[1]);
}
int based(int x) {
  auto *p = hal::base(x + 1);
  return p ? 1 : 2;
}
