#include "handle.h"

void raise_twice(struct handle *handle, unsigned char level) {
  handle_raise(handle, level);
  handle_raise(handle, 2);
}

int level_and(const struct handle *handle, unsigned char by) {
  return handle_level(handle) + by;
}
