/* One more than the greatest is the least. */
unsigned nondet_uint(void);
int main(void) {
  unsigned a = nondet_uint();
  __ESBMC_assert(a + 1 > a, "motif: same");
}
