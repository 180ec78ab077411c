#include "valve.h"

int valve_turns_left(const struct valve *valve) {
  switch (valve->state) {
    case VALVE_MOVING:
      if (valve->kind != KIND_BALL) return 7;
      return valve->turns + 3;
    case VALVE_OPEN:
      return valve->kind == KIND_GATE;
    default:
      return 0;
  }
}

int valve_rank(int state, int kind) {
  if (kind == KIND_GATE) return 1;
  if (VALVE_OPEN != state) return 2;
  return 3;
}
