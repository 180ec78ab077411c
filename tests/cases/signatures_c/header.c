#include "header.h"

static unsigned number(const unsigned char *bytes) {
  return (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
}

int record_flags(const unsigned char *record, unsigned long long key) {
  const unsigned seed = (unsigned)key | 0x10203040u;
  if (number(record) != seed * 2654435761u) return -1;
  if (number(record + 4) != seed * 40503u) return -2;
  if (number(record + 8) != seed * 2246822519u) return -3;
  return record[12] & 0x0f;
}
