#ifndef RING_H
#define RING_H
/* Of the system that the library is built into. */
void *os_alloc(unsigned int items, unsigned int bytes);
struct ring {
  unsigned short *slots;
  unsigned int room, at;
};
struct ring *ring_create(unsigned char room);
unsigned int ring_push(struct ring *ring, unsigned short value);
#endif
