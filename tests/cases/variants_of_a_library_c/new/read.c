#include "gauge.h"

long gauge_read(long place) {
  return gauge_new_values[place & 3] * 3;
}
