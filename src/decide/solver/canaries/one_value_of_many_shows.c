/* One pair of numbers of 2^48. */
unsigned nondet_uint(void);
unsigned short nondet_ushort(void);
int main(void) {
  unsigned a = nondet_uint();
  unsigned short b = nondet_ushort();
  __ESBMC_assert(!(a * 2654435761u == 2485173284u && b == 4711), "motif: same");
}
