#include "internal.h"

const struct mode parsing = {"parsing"};

void inside_step(struct inside *it) {
  const int opens = it->mode == &parsing && *it->at == '<';
  it->marks += opens * 2;
  it->depth += opens;
  it->steps += 1;
}
