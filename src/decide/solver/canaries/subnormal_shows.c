/* Halving and doubling loses the last bit of a subnormal number. */
typedef union { float value; unsigned word; } shape;
float nondet_float(void);
int main(void) {
  float x = nondet_float();
  if (!(x > 0.0f && x < 1.0f)) return 0;
  float half = x * 0.5f;
  __ESBMC_assert(half * 2.0f == x, "motif: same");
}
