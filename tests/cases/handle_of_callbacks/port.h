#ifndef PORT_H
#define PORT_H

#include <stddef.h>

/* Whoever opens a port says how it reads, writes, finds its place and fails. */
typedef struct port port;
typedef int (*port_error)(void *self);
typedef long (*port_place)(void *self);
typedef size_t (*port_read)(void *self, void *buffer, size_t size);
typedef size_t (*port_write)(void *self, const void *buffer, size_t size);

port *port_new(void *self, port_error error, port_place place, port_read read, port_write write);
void port_free(port *p);
unsigned port_word(port *p);
int port_failed(port *p);
int port_block(port *p, unsigned char *to, size_t size);

struct header {
  unsigned width;
  unsigned char sum;
};

int header_read(struct header *h, port *p);

/* As `fread`: so many pieces of one size. */
typedef size_t (*port_fetch)(void *to, size_t size, size_t count, void *user);

int pairs_fetch(port_fetch fetch, void *user);

#endif
