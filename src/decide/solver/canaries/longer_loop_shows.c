/* The loop has more rounds than are looked at. */
unsigned char nondet_uchar(void);
int main(void) {
  unsigned char most = nondet_uchar(), rounds = 0;
  while (rounds < most) ++rounds;
  __ESBMC_assert(rounds != 200, "motif: same");
}
