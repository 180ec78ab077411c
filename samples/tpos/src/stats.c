#include "tpos.h"

static uint32_t reports = 0;
static uint32_t total_bytes = 0;

uint32_t T_STATS_Record(uint32_t bytes) {
  reports += 1;
  total_bytes += bytes;
  return reports;
}

uint32_t T_STATS_Total(void) {
  return total_bytes + 3 * reports;
}
