#include <stdarg.h>
#include <stdio.h>
int measure(int width, const char *fmt, va_list args) {
  char to[512];
  int n = vsnprintf(to, sizeof to, fmt, args);
  return n < width ? width : n + 1;
}
int report(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int report(int level, const char *fmt, ...) {
  char to[512];
  int n;
  va_list args;
  va_start(args, fmt);
  n = vsnprintf(to, sizeof to, fmt, args);
  va_end(args);
  return level > 2 ? n * 2 : n;
}
