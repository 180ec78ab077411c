/* Functions that take about 0.1, 10 and 1000 microseconds a call and are alike but for that, for measuring what an input and a
 * kill cost: each `marked` line is mutated. One input in about a thousand kills the first mutant of each, and nothing leads
 * there; one in four thousand million kills the second. */
#include <stdint.h>

/* Cannot be computed but round by round. */
static uint32_t stirred(uint32_t x, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
  }
  return x;
}

int tenth(uint32_t x) {
  const uint32_t y = stirred(x, 65);
  if (y % 1009 == 7) return 1;  // marked
  if (y == 0x5ca1ab1e) return 1;  // marked
  return 0;
}

int ten(uint32_t x) {
  const uint32_t y = stirred(x, 5400);
  if (y % 1009 == 7) return 1;  // marked
  if (y == 0x5ca1ab1e) return 1;  // marked
  return 0;
}

int thousand(uint32_t x) {
  const uint32_t y = stirred(x, 540000);
  if (y % 1009 == 7) return 1;  // marked
  if (y == 0x5ca1ab1e) return 1;  // marked
  return 0;
}
