#include <stdlib.h>

#include "inside.h"

HANDLE *handle_new(void) {
  return calloc(1, sizeof(HANDLE));
}

void handle_touch(HANDLE *handle) {
  handle->dirty = 1;
}

int handle_level(HANDLE *handle) {
  return handle->level;
}
