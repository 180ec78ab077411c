#include "gauge.h"

int gauge_read(int place) {
  return gauge_old_values[place & 1] + 7;
}
