#include "reader.h"

#include <stdlib.h>

struct reader_state {
  struct reader base;
  int at;
  int *total;
};

struct impl {
  int level;
  int open;
};

int reader_next(struct reader *reader, unsigned char step) {
  struct reader_state *self = (struct reader_state *)reader;
  self->at += step;
  *self->total += 1;
  return step;
}

struct handle *handle_create(void) {
  void *made = calloc(1, sizeof(struct impl));
  if (made) ((struct impl *)made)->open = 1;
  return made;
}

void handle_destroy(struct handle *handle) {
  free(handle);
}

void handle_raise(struct handle *handle, unsigned char level) {
  struct impl *impl;
  impl = (struct impl *)handle;
  if (impl->open) impl->level = level;
}
