#include <stddef.h>
int ends(const char *text, size_t strlen, int (*pick)(int)) {
  int n = pick(3);
  return strlen > 2 && text[strlen - 1] == 'x' ? n | 1 : n & 6;
}
int blank(unsigned char *memset, size_t memcmp) {
  for (size_t free = 0; free < memcmp; ++free) memset[free] = 32;
  return 4;
}
