static int level;
int gain;
static void store(int v) {
  level = v + 1;
}
void set_level(int level) {
  store(level * 2);
}
int amplified(int store) {
  return gain > 2 ? store : level - store;
}
