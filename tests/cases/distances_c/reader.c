#include "reader.h"

void reader_open(struct reader *it, const char *data, size_t size) {
  it->begin = it->at = data;
  it->limit = data + size;
}

void reader_skip_blanks(struct reader *it) {
  while (it->at < it->limit && *it->at == ' ') ++it->at;
}
