#include "orbit.h"

int orbit_rises(struct orbit *it, int day, void (*body)(int day, struct place *at, struct orbit *of)) {
  struct place first, second, third;
  body(day % 1000 - 1, &first, it);
  body(day % 1000, &second, it);
  body(day % 1000 + 1, &third, it);
  if (third.ra / 4 - second.ra / 4 > 180) return first.dec / 2;
  return it->total + 1;
}
