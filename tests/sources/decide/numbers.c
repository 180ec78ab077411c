#include <stdbool.h>
typedef enum { RED, GREEN, BLUE } colour;
/* The negative of nought is nought. */
int half(short a) {
  int b = a;
  if (b < 0) b = -b;
  return b / 2;
}

int shade(colour c, bool dark) {
  int level = (int)c & 3;
  return dark ? level + 4 : level;
}

/* One pair of values of sixteen million. */
int hidden(unsigned short a, unsigned char b) {
  if (a * 2654435761u * (b ^ 0x5bu) == 2485173284u) return 1;
  return 0;
}

int quotient(signed char a, signed char b) {
  int c = a / b;
  return c > 200 ? 1 : c;
}

int counted(signed char a) {
  static int calls;
  calls = (calls + 1) & 1;
  return a > 126 ? calls + 2 : 0;
}

int wide(long a) { return a > 5 ? 1 : 0; }

/* What all arguments do not tell: a library's state, one object behind two pointers, values that are no enumerators. */
#include <stdlib.h>
static int sum(int a) { return a < 0 ? -a : a; }
void shown(signed char a) { srand((unsigned)(a < 100 ? sum(a) : 0)); }

int same(signed char *a, signed char *b) { return *a == *b && a == b ? 1 : 0; }

enum level { LOW, HIGH, NONE = 255 } __attribute__((packed));
int level(enum level l) { return l == NONE ? 0 : l == 5 ? 1 : 2; }
