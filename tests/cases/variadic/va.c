#include <stdarg.h>
#include <stddef.h>
#include <string.h>
int sum(int count, ...) {
  va_list args;
  int total = 0;
  va_start(args, count);
  for (int i = 0; i < count; ++i) total += va_arg(args, int);
  va_end(args);
  return total;
}
size_t log_all(const char *first, ...) {
  va_list args;
  size_t length = 1;
  va_start(args, first);
  for (const char *text = first; text; text = va_arg(args, const char *)) length += strlen(text);
  va_end(args);
  return length;
}
double average(unsigned num, ...) {
  va_list args;
  double total = 0;
  va_start(args, num);
  for (unsigned i = 0; i < num; ++i) total += va_arg(args, double);
  va_end(args);
  return num ? total / num : 8;
}
int tagged(int id, ...) {
  va_list args;
  int seen = 0;
  va_start(args, id);
  seen = id | 16;
  va_end(args);
  return seen;
}
long most(int k, int n, ...) {
  va_list args;
  long best = k;
  va_start(args, n);
  while (n-- > 0) { long v = va_arg(args, long); if (v > best) best = v; }
  va_end(args);
  return best;
}
