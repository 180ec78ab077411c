/* -0 + 0 is 0. */
typedef union { float value; unsigned word; } shape;
float nondet_float(void);
int main(void) {
  shape a, b;
  float x = nondet_float();
  if (x != x) return 0;
  a.value = x;
  b.value = x + 0.0f;
  __ESBMC_assert(a.word == b.word, "motif: same");
}
