/* What is called through a pointer is what it points to. */
int nondet_int(void);
static int one(int a) { return a > 3; }
static int other(int a) { return a >= 3; }
int main(void) {
  int (*volatile first)(int) = one, (*volatile second)(int) = other;
  int a = nondet_int();
  __ESBMC_assert(first(a) == second(a), "motif: same");
}
