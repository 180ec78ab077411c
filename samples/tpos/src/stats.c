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

uint32_t T_STATS_Send(uint16_t bytes) {
  uint32_t frames = 0;
  while (bytes > 0) {
    const uint16_t part = bytes < T_POS_ENCODED_MAX ? bytes : T_POS_ENCODED_MAX;
    T_STATS_Record(part);
    frames++;
    bytes = (uint16_t)(bytes - part);
  }
  return frames;
}
