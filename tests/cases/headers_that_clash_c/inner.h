#ifndef INNER_H
#define INNER_H
#include "outer.h"
/* The library's own header: what it calls `read_next` is another function than the program's. */
struct reader {
  int position;
  int limit;
};
long read_next(struct reader *reader, long step);
#endif
