struct RING() {
  ITEM *items;
  unsigned room, used;
};

RING() RING(_create)(unsigned char room) {
  RING() ring = malloc(sizeof *ring);
  ring->items = calloc((size_t)room + 1, sizeof(ITEM));
  ring->room = room + 1u;
  ring->used = 0;
  return ring;
}

void RING(_destroy)(RING() ring) {
  free(ring->items);
  free(ring);
}

void RING(_push)(RING() ring, int value) {
  ring->items[ring->used++ % ring->room] = (ITEM)value;
}

int RING(_sum)(RING() ring) {
  int sum = 0;
  for (unsigned i = 0; i < ring->room; i++) sum += ring->items[i];
  return sum;
}
