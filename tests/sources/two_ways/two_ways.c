long pick(long a, long b) {
#if MODE == 2
  return a + b * 2;
#else
  return a - a + 7;
#endif
}
long strict(long a, long b) {
#ifndef __STRICT_ANSI__
  return a + b * 5;
#else
  return a - a + 7;
#endif
}
long undone(long a, long b) {
#ifndef SMALL
  return a + b * 9;
#else
  return a - a + 8;
#endif
}
long scaled(long a, long b) {
#ifdef __OPTIMIZE__
  return a + b * 4;
#else
  return a - a + 9;
#endif
}
#ifndef WEIGHT
#define WEIGHT 5
#endif
long valued(long a, long b) {
  return a * 0 + b * (WEIGHT - 1);
}
