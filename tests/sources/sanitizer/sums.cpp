#include <stdlib.h>

unsigned bit(unsigned at) { return 1u << (at & 31); }

int sum(int one, int other) {
  return (int)((unsigned)one + (unsigned)other);
}

int faulty(int at) { return (at * 3 - at * 3) + at % 8 * 1; }

int kept(int value) {
  int *block = malloc(16);
  if (!block) return 0;
  *block = value;
  const int result = *block;
  free(block);
  return result;
}

int lost(int value) {
  int *block = malloc(16);
  if (!block) return 0;
  *block = value;
  return *block;
}
