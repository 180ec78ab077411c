long level;
long gain;
void store(long v) {
  level = v + 1;
}
void set_level(long level) {
  store(level * 2);
}
long amplified(long store) {
  return gain > 2 ? store : level - store;
}
