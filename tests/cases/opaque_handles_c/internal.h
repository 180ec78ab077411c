#ifndef INTERNAL_H
#define INTERNAL_H
#include "session.h"

struct session {
  unsigned long check;
  int level;
  int *values;
};

#define AS_HANDLE(it) ((session_handle)(it))
#define AS_SESSION(it) ((struct session *)(it))

int session_weight(struct session *it, int place);
#endif
