static int twice(int x) { return 2 * x; }
int plain(const int *values, int count) { return count > 0 ? twice(values[0]) : 0; }
