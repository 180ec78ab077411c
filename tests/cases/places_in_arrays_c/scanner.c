#include "scanner.h"

#include <stdlib.h>

const char *skip_blanks(const char *text) {
  while (*text == ' ') ++text;
  return text;
}

int read_digits(const char *text, const char **end) {
  int value = 0;
  while (*text >= '0' && *text <= '7') value = (value * 8 + *text++ - '0') % 1000;
  *end = text;
  return value;
}

struct label *label_create(int length) {
  struct label *label = calloc(1, sizeof *label);
  if (label) label->length = length > 0 ? length : 1;
  return label;
}

void label_delete(struct label *label) {
  if (label) free(label->text);
  free(label);
}
