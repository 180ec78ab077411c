/* Nothing that is compared differs, but one side writes behind the end. */
unsigned char nondet_uchar(void);
int main(void) {
  unsigned char values[4] = {0};
  unsigned char at = nondet_uchar();
  if (at <= 4) values[at] = 1;
  __ESBMC_assert(at < 5 || values[0] == 0, "motif: same");
}
