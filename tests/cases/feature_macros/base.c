#ifdef __sun
#define _XOPEN_SOURCE 500
#endif
#include "config.h"
#include <string.h>
int base_length(const char *path) {
  const char *last = strrchr(path, '/');
  return (int)(strchrnul(last ? last : path, '.') - path) + 1;
}
