#include "options.h"
int spread(const parser *it);
/* It knows no more of a parser than everybody. */
int spread(const parser *it) {
  const int count = parser_count(it);
  if (count < 4) return -1;
  return (int)parser_value(it, "speed") * 3 + count;
}
