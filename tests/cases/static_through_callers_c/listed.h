#include <stdarg.h>
int listed_first(const char *format, ...);
int listed_second(const char *format, ...);
