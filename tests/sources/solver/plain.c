/* Functions whose mutants are known to be equivalent or not. */
#include <string.h>

unsigned mask(unsigned a) { return (a & 255u) | 0u; }

int sign(int a) {
  if (a > 0) return 1;
  if (a < 0) return -1;
  return 0;
}

unsigned average(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }

int seldom(unsigned a, unsigned short b) {
  if (a * 2654435761u == 2485173284u && b == 4711) return 1;
  return 0;
}

unsigned char saturated(unsigned char a, unsigned char b) {
  unsigned sum = (unsigned)a + b;
  if (sum > 255) sum = 255;
  return (unsigned char)sum;
}

unsigned rotate(unsigned a, unsigned by) {
  by &= 31;
  if (by == 0) return a;
  return (a << by) | (a >> (32 - by));
}

float limited(float x) {
  if (x < 0.0f) x = 0.0f;
  if (x > 1.0f) x = 1.0f;
  return x * 2.0f;
}

double steps(double x, double y) {
  if (x != x) return y;
  return x < y ? y : x;
}

int bits(unsigned a) {
  int count = 0;
  for (int i = 0; i < 32; i++) {
    if (a & (1u << i)) count++;
  }
  return count;
}

unsigned gcd(unsigned char a, unsigned char b) {
  while (b != 0) {
    unsigned char rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
