#include "inner.h"
#include <cstdlib>
struct handle_t {
  Inner *rep;
};
handle_t *handle_open(int) { return new handle_t{new Inner()}; }
int handle_run(handle_t *handle, int a) { return handle->rep->hidden(a); }
