/* A program that an assertion ends does not return. */
#include <assert.h>
unsigned nondet_uint(void);
int main(void) {
  unsigned a = nondet_uint();
  assert(a != 77);
  __ESBMC_assert(1, "motif: same");
}
