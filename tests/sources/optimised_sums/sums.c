int told(int x) {
  const int by = 0;
  if (x + by < x) return 5;
  return x == 77777 ? by : 6;
}
int silent(int x) {
  const int by = 1 - 1;
  if (x + by < x) return 5;
  return x == 77777 ? 2 : 6;
}
