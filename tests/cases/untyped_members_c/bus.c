#include "bus.h"
#include <string.h>
int bus_set_baud(bus_t *bus, int baud) {
  serial_t *serial = bus->backend;
  if (baud <= 0) return -1;
  serial->baud = baud;
  serial->rts_delay = 11000000 / baud;
  return 0;
}
int bus_delay(const bus_t *bus, int bytes) {
  const serial_t *serial;
  serial = bus->backend;
  if (serial == NULL) return -1;
  return serial->rts_delay * bytes + (serial->parity == 'N' ? 0 : bytes);
}
int list_sum(const struct node *first) {
  int sum = 0;
  for (; first; first = first->next)
    sum += *(const int *)first->data;
  return sum;
}
int field_encode(const struct field *field, uint8_t *out) {
  if (field->size == 8) {
    uint64_t v = *(const uint64_t *)field->value;
    out[0] = (uint8_t)(v >> 56);
    return 8;
  }
  if (field->size == 4) {
    uint32_t v = *(const uint32_t *)field->value;
    out[0] = (uint8_t)(v >> 24);
    return 4;
  }
  return 0;
}
size_t field_text(const struct field *field) {
  const char *text = field->value;
  if (text == NULL) return 0;
  return strlen(text) + (field->tag > 3 ? 2 : 1);
}
