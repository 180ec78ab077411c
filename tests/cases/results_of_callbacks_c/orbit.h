#pragma once

struct place {
  int ra;
  int dec;
};

struct orbit {
  int total;
};

// Where a body is on three days.
int orbit_rises(struct orbit *it, int day, void (*body)(int day, struct place *at, struct orbit *of));
