#include "handle.h"

int level_of_a_new_one(void) {
  return handle_level(handle_new());
}
