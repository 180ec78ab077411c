#include "gauge.h"
#include <stddef.h>

const int *gauge_old_values;

int gauge_scan_one(const char *text, int place) {
  int values[2] = {0, 0};
  for (int at = 0; at < 2 && text[at] != 0; ++at)
    values[at] = text[at];
  gauge_old_values = values;
  const int result = gauge_read(place);
  gauge_old_values = NULL;
  return result;
}
