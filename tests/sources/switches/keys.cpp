int shown(unsigned x) {
  if (x == 987654) return 1;
  return 0;
}
int hidden(unsigned x) {
  if (x * 2654435761u * (x ^ 0x5bd1e995u) == 1545010130u) return 1;
  return 0;
}
