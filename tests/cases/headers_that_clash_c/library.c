#include "inner.h"
#include <stdlib.h>
struct reader *reader_open(int limit) {
  struct reader *made = calloc(1, sizeof *made);
  if (made) made->limit = limit;
  if (made) made->position = limit / 2;
  return made;
}
int reader_position(const struct reader *reader) { return reader->position; }
void reader_close(struct reader *reader) { free(reader); }
long read_next(struct reader *reader, long step) { return reader->position += (int)step; }
