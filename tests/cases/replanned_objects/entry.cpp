#include "thing.h"
#define Handle n::Thing
#include "api.h"
Handle *handle_create(int size) {
  n::Thing *made = new n::Thing();
  made->grow(size);
  return made;
}
