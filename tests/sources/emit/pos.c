#include "pos.h"

int pos_encode(const T_POS *pos, unsigned char bytes[4]) {
  int i;
  if (pos->kind == POS_NONE) {
    return 1;
  }
  for (i = 0; i < 4; i++) {
    bytes[i] = (unsigned char)(pos->value >> (8 * i));
  }
  return 0;
}
