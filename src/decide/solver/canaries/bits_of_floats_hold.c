/* A float's bits are the same through a union, a pointer, a copy, and put together from bytes. */
#include <string.h>
typedef union { float value; unsigned word; } shape;
unsigned char nondet_uchar(void);
int main(void) {
  unsigned char bytes[4];
  float x, y;
  unsigned copied;
  shape seen, made;
  for (int i = 0; i < 4; ++i) bytes[i] = nondet_uchar();
  memcpy(&x, bytes, 4);
  for (int i = 0; i < 4; ++i) ((unsigned char *)&y)[i] = bytes[i];
  memcpy(&copied, &x, 4);
  seen.value = x;
  made.word = copied;
  int same = seen.word == copied && *(unsigned *)&y == copied && *(unsigned *)&made.value == copied;
  same = same && copied == ((unsigned)bytes[0] | (unsigned)bytes[1] << 8 | (unsigned)bytes[2] << 16 |
                            (unsigned)bytes[3] << 24);
  __ESBMC_assert(same, "motif: same");
}
