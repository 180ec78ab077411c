#include "clock.h"
int heater_level(const Clock &clock, int channel) {
  if (clock.now() > 600) return 0;
  return board_temperature(channel) > 20 ? 1 : 2;
}
