#include "shelf.h"

#include <stdlib.h>

struct shelf {
  int count;
  int *last;
};

struct shelf *shelf_new(void) { return calloc(1, sizeof(struct shelf)); }

void shelf_free(struct shelf *shelf) {
  free(shelf->last);
  free(shelf);
  shelf->count = 0;
}

int shelf_put(struct shelf *shelf, int amount) {
  shelf->count = shelf->count + amount;
  if (!shelf->last) shelf->last = malloc(sizeof *shelf->last);
  return shelf->count > 100 ? 100 : shelf->count;
}
