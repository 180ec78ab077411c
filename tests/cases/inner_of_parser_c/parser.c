#include "parser.h"

#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

parser parser_new(void) {
  return (parser)calloc(1, sizeof(struct inside));
}

int parser_parse(parser handle, const char *content) {
  struct inside *it = (struct inside *)handle;
  it->mode = &parsing;
  for (it->at = content; *it->at; ++it->at) inside_step(it);
  it->mode = NULL;
  return it->marks + it->steps;
}

int parser_load_file(parser handle, const char *name) {
  char text[64] = "";
  FILE *file = fopen(name, "r");
  if (!file) return -1;
  const size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  return size ? parser_parse(handle, text) : 0;
}

void parser_free(parser handle) {
  free(handle);
}
