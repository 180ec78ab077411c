#include "bus.h"
int heat(int limit) {
  uint16_t raw = adc_read(3);
  if (raw > limit) {
    gpio_write(4, 0);
    return (int)(ticks & 7);
  }
  return -1;
}
int report(uint8_t kind) {
  uint8_t data[2];
  data[0] = kind;
  data[1] = 0xa5;
  return bus_send(data, sizeof data);
}
int take(void) {
  uint8_t data[4] = {0, 0, 0, 0};
  frame_t frame;
  frame.id = 0;
  if (bus_receive(data, sizeof data) < 0) return -1;
  while (!frame_get(&frame)) ticks = ticks + 2;
  return data[1] + frame.id;
}
void *unit_of_its_own(void) { return never_called(); }
