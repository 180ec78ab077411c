#include "listed.h"

static int listed_next(va_list *from) { return va_arg(*from, int) % 100 + 1; }

int listed_first(const char *format, ...) {
  va_list from;
  int next;
  if (!format) return 0;
  va_start(from, format);
  next = listed_next(&from);
  va_end(from);
  return next;
}

int listed_second(const char *format, ...) {
  va_list from;
  int next;
  if (!format) return -1;
  va_start(from, format);
  next = listed_next(&from);
  va_end(from);
  return -next;
}
