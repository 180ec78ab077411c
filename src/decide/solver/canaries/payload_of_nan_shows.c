/* 0x7f800001 is a NaN, and the least one. */
typedef union { float value; unsigned word; } shape;
float nondet_float(void);
int main(void) {
  shape seen;
  seen.value = nondet_float();
  unsigned bits = seen.word & 0x7fffffffu;
  __ESBMC_assert((bits > 0x7f800000u) == (bits > 0x7f800001u), "motif: same");
}
