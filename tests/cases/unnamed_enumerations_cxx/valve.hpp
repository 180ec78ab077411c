#pragma once
#include <shapes/shape.h>
// Enumerations that only members have.
class Valve {
 public:
  enum { SHUT, AJAR, WIDE = 7 } state = SHUT;
  int turns = 0;
};
int flow(const Valve &valve);
int volume(const shapes::Shape &shape, int unit);
void widen(shapes::Box &box, int by);
