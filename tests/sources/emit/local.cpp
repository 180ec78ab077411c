#include "module.hpp"

static int clamp(int value, int most) {
  return value > most ? most : value;
}

int shown(int value) { return clamp(value, 99); }
