#ifndef READER_H
#define READER_H
#include <stddef.h>

struct reader {
  const char *begin, *at, *limit;
};

void reader_open(struct reader *it, const char *data, size_t size);
void reader_skip_blanks(struct reader *it);

#endif
