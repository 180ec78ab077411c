/* What a shift by the width of a number gives is not defined. */
unsigned nondet_uint(void);
int main(void) {
  unsigned by = nondet_uint() & 63, one = 1;
  unsigned shifted = one << by;
  __ESBMC_assert(by >= 32 || shifted != 0, "motif: same");
}
