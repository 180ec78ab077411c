#include "outer.h"
int distance(struct reader *reader, int from);
static int read_next(const char *text) { return text[0] ? text[0] - '0' : -1; }
int distance(struct reader *reader, int from) {
  if (!reader) return read_next("");
  return reader_position(reader) - from;
}
