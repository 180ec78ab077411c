/* Arrays and texts whose elements are written and read by a computed index. */
#include <string.h>
unsigned char nondet_uchar(void);
int main(void) {
  unsigned char values[4], copies[4];
  char text[5];
  for (int i = 0; i < 4; ++i) values[i] = nondet_uchar();
  for (int i = 0; i < 4; ++i) text[i] = (char)values[i];
  text[4] = 0;
  unsigned char at = nondet_uchar() & 3;
  memcpy(copies, values, 4);
  copies[at] = 7;
  int same = copies[at] == 7 && copies[(at + 1) & 3] == values[(at + 1) & 3];
  unsigned long length = 0;
  while (text[length]) ++length;
  same = same && strlen(text) == length && (strcmp(text, "abcd") == 0) == (memcmp(text, "abcd", 5) == 0);
  __ESBMC_assert(same, "motif: same");
}
