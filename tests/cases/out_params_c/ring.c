#include "ring.h"
#include <stdlib.h>
struct ring {
  int room;
  int *items;
};
int ring_create(int room, struct ring **out) {
  struct ring *made;
  if (room < 0 || room > 100) return -1;
  made = malloc(sizeof *made);
  made->room = room;
  made->items = calloc((size_t)room + 1, sizeof(int));
  *out = made;
  return 0;
}
int ring_room(const struct ring *ring, int less) {
  return ring->room - ring->items[0] - less;
}
void ring_destroy(struct ring *ring) {
  free(ring->items);
  free(ring);
}
