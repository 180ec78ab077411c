#ifndef RING_H
#define RING_H
#include <stdio.h>
struct ring {
  char *data;
  unsigned size, room;
};
int ring_push(struct ring *it, char value);
int ring_name(const char *name, struct ring *to);
long ring_load(FILE *from, unsigned char *to, unsigned size);
#endif
