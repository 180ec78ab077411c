int lut(const int *table, int ms) {
  int at = ms / 10;
  if (at < 0) at = 0;
  if (at >= 10) at = 9;
  return table[at] + (ms > 200);
}
int kept(const int *all, const short *room, short n) {
  short i;
  int sum = 0;
  if (n > 40) return -7;
  for (i = 0; i < n && i < *room; ++i) sum += all[i];
  return sum;
}
