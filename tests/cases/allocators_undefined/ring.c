#include "ring.h"
struct ring *ring_create(unsigned char room) {
  struct ring *ring = os_alloc(1, sizeof *ring);
  ring->room = (room & 7) + 2;
  ring->slots = os_alloc(ring->room, sizeof *ring->slots);
  return ring;
}
unsigned int ring_push(struct ring *ring, unsigned short value) {
  ring->slots[ring->at] = value;
  ring->at = (ring->at + 1) % ring->room;
  return ring->at;
}
