/* A sum that leaves the last element out. */
unsigned char nondet_uchar(void);
int main(void) {
  unsigned char values[8];
  unsigned all = 0, most = 0;
  for (int i = 0; i < 8; ++i) values[i] = nondet_uchar();
  for (int i = 0; i < 8; ++i) all += values[i];
  for (int i = 0; i < 7; ++i) most += values[i];
  __ESBMC_assert(all == most, "motif: same");
}
