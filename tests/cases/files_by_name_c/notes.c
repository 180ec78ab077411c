#include "notes.h"

#include <stdio.h>
#include <string.h>

int notes_save(const char *path, int count) {
  FILE *out = fopen(path, "w");
  if (!out) return -1;
  for (int i = 0; i < count && i < 5; ++i) fprintf(out, "%d\n", i * 3);
  fclose(out);
  return 0;
}

int notes_sum(const char *file_name) {
  FILE *in = fopen(file_name, "rb");
  if (!in) return -1;
  int sum = 0;
  for (int c = fgetc(in); c != EOF; c = fgetc(in)) {
    if (c == '#') sum += 1000;
    else sum += c;
  }
  fclose(in);
  return sum;
}

int notes_is_hidden(const char *path) {
  const char *last = strrchr(path, '/');
  return (last ? last[1] : path[0]) == '.';
}

int notes_create(const char *path) {
  FILE *known = fopen(path, "r");
  if (known) {
    fclose(known);
    return 1;
  }
  FILE *made = fopen(path, "w");
  if (!made) return 2;
  fputs("new", made);
  fclose(made);
  return 7;
}
