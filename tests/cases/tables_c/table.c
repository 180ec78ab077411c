#include "table.h"
#include <string.h>
int option_value(const struct option *options, const char *name) {
  for (; options->name != NULL; ++options) {
    if (strcmp(options->name, name) == 0) return options->value;
  }
  return -1;
}
int words_length(const char **words) {
  int length = 0;
  while (*words) length += (int)strlen(*words++) + 1;
  return length;
}
int option_sum(const struct option *option) {
  int sum = 0;
  do {
    sum += option->value;
  } while ((++option)->name);
  return sum;
}
