int half(int n) {
  for (volatile int i = n; i < 0;) {
  }
  return n / 2;
}
