#include "ring.h"

int above(ring_small ring, int level) {
  const int sum = ring_small_sum(ring);
  return sum > level ? sum - level : 0;
}
