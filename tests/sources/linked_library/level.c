int vendor_scale(int n);
int level(int n) {
  return vendor_scale(n & 0xff) + 1;
}
