#ifndef BUS_H
#define BUS_H
#include <stddef.h>
#include <stdint.h>
typedef struct bus {
  int slave;
  int timeout;
  void *backend;
} bus_t;
typedef struct {
  int baud;
  uint8_t parity;
  int rts_delay;
} serial_t;
struct node {
  struct node *next;
  void *data;
};
struct field {
  int tag;
  size_t size;
  void *value;
};
int bus_set_baud(bus_t *bus, int baud);
int bus_delay(const bus_t *bus, int bytes);
int list_sum(const struct node *first);
int field_encode(const struct field *field, uint8_t *out);
size_t field_text(const struct field *field);
#endif
