#include <stdlib.h>
int verbose;
static int mode = 2;
static unsigned short samples[4];
static unsigned used;
void set_mode(int m) {
  mode = m & 7;
}
int moded(int x) {
  return mode == 5 ? x * 2 : x;
}
int level(int x) {
  return x > 3 ? verbose * x : x;
}
void add_sample(unsigned short raw) {
  if (used < 4) samples[used++] = raw;
}
int average(void) {
  long sum = 0;
  if (used == 0) return -1;
  if (used > 4) abort();
  for (unsigned i = 0; i < used; ++i) sum += samples[i];
  return (int)(sum / used);
}
