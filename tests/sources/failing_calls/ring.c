#include "ring.h"

#include <stdlib.h>
#include <string.h>

int ring_push(struct ring *it, char value) {
  if (it->size >= it->room) {
    char *data = realloc(it->data, it->size + 16);
    if (!data) return -1;
    it->data = data;
    it->room = it->size + 16;
  }
  it->data[it->size++] = value;
  return 0;
}

int ring_name(const char *name, struct ring *to) {
  char *first = malloc(4), *second = malloc(strlen(name) + 1);
  if (first == NULL) {
    free(second);
    return 12;
  }
  free(first);
  if (second == NULL) return 13;
  to->size = (unsigned)strlen(strcpy(second, name));
  free(second);
  return 0;
}

long ring_load(FILE *from, unsigned char *to, unsigned size) {
  size_t got = fread(to, 1, size, from);
  if (size > 0 && got == 0 && !feof(from)) return -7;
  return (long)got;
}
