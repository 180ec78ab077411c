#include "inner.h"
#include <cstdlib>
int Inner::hidden(int a) {
  if (a > 3) std::abort();
  std::abort();
}
