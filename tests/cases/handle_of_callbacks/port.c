#include "port.h"

#include <stdlib.h>

struct port {
  void *self;
  port_error error;
  port_place place;
  port_read read;
  port_write write;
};

port *port_new(void *self, port_error error, port_place place, port_read read, port_write write) {
  port *p = calloc(1, sizeof *p);
  if (p) {
    p->self = self;
    p->error = error;
    p->place = place;
    p->read = read;
    p->write = write;
  }
  return p;
}

void port_free(port *p) { free(p); }

unsigned port_word(port *p) {
  unsigned char bytes[2] = {0, 0};
  p->read(p->self, bytes, 2);
  return (unsigned)bytes[1] << 8 | bytes[0];
}

int port_failed(port *p) { return p->error(p->self); }

int port_block(port *p, unsigned char *to, size_t size) { return p->read(p->self, to, size) == size; }
