/* Results of computing with numbers, to the last bit, as IEEE 754 has them. */
unsigned nondet_uint(void);
typedef union { float value; unsigned word; } shape;
typedef union { double value; unsigned long long word; } wide;
int main(void) {
  volatile unsigned one = 0x3f800000u, third = 0x3eaaaaabu, tiny = 0x00000001u, large = 0x7f7fffffu;
  shape a, b, c, d, e;
  wide w;
  a.word = one;
  b.word = third;
  c.word = tiny;
  d.word = large;
  e.value = a.value / 3.0f;
  int same = e.word == 0x3eaaaaabu;
  e.value = c.value / 2.0f;
  same = same && e.word == 0;
  e.value = d.value + d.value;
  same = same && e.word == 0x7f800000u;
  e.value = b.value * b.value;
  same = same && e.word == 0x3de38e3au;
  w.value = (double)b.value * 3.0;
  same = same && w.word == 0x3ff0000008000000ull;
  w.value = 0.1 + 0.2;
  same = same && w.word == 0x3fd3333333333334ull;
  e.value = (float)16777217;
  same = same && e.word == 0x4b800000u && (int)-1.5f == -1;
  __ESBMC_assert(same, "motif: same");
}
