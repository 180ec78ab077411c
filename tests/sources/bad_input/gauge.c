int gauge(int level) {
  if (level < 0) {
    return 0;
  }
  return level > 100 ? 100 : level;
}
