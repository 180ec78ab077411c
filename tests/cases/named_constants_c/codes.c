#include "codes.h"

enum { INNER = 77, OUTER = 78 };

int code_of(int number) {
  if (number > 4) return CODE_BAD;
  return CODE_OK;
}

int code_inner(int number) {
  if (number > 4) return INNER;
  return OUTER;
}

static int sent(int first, int mode) { return first + mode; }

int code_sent(int on) { return sent(1, on ? MODE_ON : MODE_OFF) - 1; }
