#include "hw.h"
static int outside(int x) { return x + 1; }
static void called(int n) { (void)n; }
int probe(int x) {
  struct sensor *s = sensor_get(x);
  return s ? s->id + 3 : -1;
}
int get(void) {
  uint8_t b[4] = {0, 0, 0, 0};
  int n = uart_get(b, sizeof b);
  return n > 0 ? b[0] + 2 : b[3];
}
int block(void) {
  uint16_t b[4] = {0, 0, 0, 0};
  adc_block(b, sizeof b);
  return b[3] * 2;
}
int put(int n) {
  uint8_t d[2] = {1, 2};
  return n <= 2 ? uart_put(d, n) : 7;
}
int tune(int x) {
  return x > board_rev ? (int)(gains[1] > 2.0f) : outside(x);
}
int start(int p) {
  if (weak_hook) weak_hook(p);
  return on_tick(called, p * 10);
}
int mine(int x) { return x + own; }
