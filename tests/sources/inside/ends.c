/* Values that a mutant changes, and nobody sees. */
int compared(int a, int b) {
  int sum = (a & 15) + 1;
  if (sum > 20) return b;
  return b + 1;
}

int unread(int a, int b) {
  int x = a & 7;
  int y = b & 7;
  x = y + 1;
  return x * y;
}

int either(int a, int b) {
  if (a > b) return a;
  return b;
}

unsigned shifted(unsigned a, unsigned b) {
  unsigned x = (a + b) | 1u;
  return x >> 1;
}

int narrow(int a, int b) {
  unsigned char low = (unsigned)a * 256u + (unsigned)b;
  return low;
}

int counted(int a, int b) {
  int left = a & 7;
  if (left == 9) return b;
  return b + 1;
}

int handed(int *at, int a, int b) {
  *at = a * 2;
  *at = b;
  return a;
}

/* What is given is another value, and what comes of it is not. */
__attribute__((noinline)) int doubled(int a, int really) {
  return really ? a * 2 : a;
}

int asked(int a) {
  return doubled(a, 1);
}

__attribute__((noinline)) void put(int *to, int a, int really) {
  *to = really ? a : 0;
}

int given(int a) {
  int x = 3;
  put(&x, a, 1);
  return x;
}
