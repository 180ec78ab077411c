/* Identities of integers of every width. */
unsigned nondet_uint(void);
int nondet_int(void);
unsigned char nondet_uchar(void);
int main(void) {
  unsigned a = nondet_uint(), b = nondet_uint();
  unsigned char c = nondet_uchar();
  int s = nondet_int();
  int same = (a ^ b) == ((a | b) & ~(a & b)) && a + b == b + a && (unsigned char)(c + 1) == ((c + 1) & 255);
  same = same && (a << 1) == a + a && (s >> 31) == (s < 0 ? -1 : 0) && (c == 0 || 1000 / c * c + 1000 % c == 1000);
  same = same && ((a & (a - 1)) == 0) == (a == 0 || (a & -a) == a);
  __ESBMC_assert(same, "motif: same");
}
