#include "clock.hpp"

int Clock::hour() const {
  if (minutes_ < 0 || minutes_ >= 1440) return -1;
  return minutes_ / 60;
}

void Clock::tick(int by) {
  if (by > 0) minutes_ = (minutes_ % 1440 + by % 1440) % 1440;
}
