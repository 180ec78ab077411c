#include <stdint.h>
typedef enum { IDLE, ARMED } state_t;
typedef struct {
  uint16_t raw[4];
  unsigned used;
  struct {
    int low, high;
  } limits;
  unsigned flags : 3;
} channel_t;
static struct {
  state_t state;
  channel_t channels[2];
  uint32_t errors;
} telemetry;
void forget(void) {
  telemetry.errors = 0;
}
int limit(unsigned at, int low, int high) {
  if (at > 1 || low > high) {
    telemetry.errors++;
    return -1;
  }
  telemetry.channels[at].limits.low = low;
  telemetry.channels[at].limits.high = high;
  return 0;
}
int sample(unsigned at, uint16_t raw) {
  channel_t *c = &telemetry.channels[at & 1];
  c->raw[c->used % 4] = raw;
  c->used = c->used + 1;
  c->flags = raw & 5;
  if (c->limits.high && raw > c->limits.high) telemetry.state = ARMED;
  return 0;
}
long sum(unsigned at) {
  const channel_t *c = &telemetry.channels[at & 1];
  long sum = 0;
  for (unsigned i = 0; i < 4 && i < c->used; ++i) sum += c->raw[i];
  return sum * 2;
}
