#pragma once
#include "api.h"
class Inner {
  friend int handle_run(handle_t *handle, int a);
  int hidden(int a);
};
