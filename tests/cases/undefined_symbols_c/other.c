extern int tick;
int late(int x) {
  tick = x + 2;
  return tick;
}
