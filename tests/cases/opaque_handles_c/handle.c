#include "handle.h"

#include <stdlib.h>

struct handle {
  int level;
};

struct handle *handle_create(void) {
  return calloc(1, sizeof(struct handle));
}

void handle_destroy(struct handle *handle) {
  free(handle);
}

void handle_raise(struct handle *handle, unsigned char level) {
  handle->level += level;
}

int handle_level(const struct handle *handle) {
  return handle->level;
}
