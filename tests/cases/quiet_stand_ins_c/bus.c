#include "bus.h"

double bus_scaled(double value) {
  if (value > 1e6) return bus_overflow(1);
  return value * 2.0;
}

unsigned bus_sum(int line) { return bus_read(line) + bus_read(line + 1); }

int bus_begins(const struct frame *frame) { return frame->length > 1 && frame->bytes[0] == '{'; }
