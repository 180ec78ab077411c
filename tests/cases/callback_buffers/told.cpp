#include <cstdio>
void lines(void (*each)(const char *first, const char *last), int n) {
  char text[8];
  for (char &c : text) c = static_cast<char>('a' + (n & 7));
  each(text, text + 8);
}
void chars(void (*each)(const char *, void *), int n) {
  char c = static_cast<char>('a' + (n & 7));
  each(&c, nullptr);
}
int put(int (*write)(char *, int), int n) {
  int guard[4] = {1, 2, 3, 4};
  char c[2] = {0, 0};
  write(c, 64);
  int sum = n & 15;
  for (int g : guard) sum += g;
  return sum;
}
int flagged(int (*control)(char *arg, int request), int n) {
  char c[2] = {0, 0};
  int sum = n & 15;
  return control(c, 0x5401) + sum + c[1];
}
int spans(void (*each)(int *first, int *last), int n) {
  int at[3] = {n, 1, 2};
  int more = n & 7;
  each(at, at + 3);
  return at[1] + more;
}
void entry(void (*tell)(const char *name, long size), int n) {
  char text[4] = {'a', static_cast<char>('b' + (n & 7)), 0, 0};
  tell(text, 1L << 30);
}
void before(void (*tell)(int length, const char *text), int n) {
  char one = static_cast<char>('a' + (n & 7));
  tell(1, &one);
}
int level(int (*get)(unsigned char *to, int length), int n) {
  unsigned char b[4] = {0, 0, 0, 0};
  return get(b, 4) > n ? b[3] + 1 : b[2];
}
