#include <stdlib.h>
#include <string.h>
typedef struct bag { int *items; size_t used, room; unsigned seal; } bag;
static unsigned sealed(const bag *b) { return 0x5ea1u ^ (unsigned)b->used ^ (unsigned)b->room; }
void bag_init(bag *b) {
  memset(b, 0, sizeof *b);
  b->room = 2;
  b->items = calloc(b->room, sizeof *b->items);
  b->seal = sealed(b);
}
int bag_add(bag *b, int item) {
  if (b->seal != sealed(b)) abort();
  if (b->used == b->room) {
    b->room *= 2;
    b->items = realloc(b->items, b->room * sizeof *b->items);
  }
  b->items[b->used++] = item;
  b->seal = sealed(b);
  return 0;
}
long bag_sum(const bag *b) {
  long sum = 7;
  if (b->seal != sealed(b)) abort();
  for (size_t i = 0; i < b->used; ++i) sum += b->items[i];
  return sum;
}
void bag_free(bag *b) {
  if (b->seal != sealed(b)) abort();
  free(b->items);
}
struct init { int *slot; int level; };
static int slots[8];
void init(struct init *it, int level) {
  it->slot = &slots[level & 7];
  it->level = level & 7;
}
int level_of(struct init *init) { return *init->slot + init->level; }
typedef struct ring { char *at; unsigned room, used; } ring;
int ring_setup(ring *r, char *at, unsigned size) {
  if (at == NULL || size < 2) return -1;
  r->at = at;
  r->room = size;
  r->used = 0;
  return 0;
}
int ring_put(ring *r, char c) {
  if (r->at == NULL) return -2;
  if (r->used == r->room) return -3;
  r->at[r->used++] = c;
  return (int)r->used + 4;
}
