#include "value.h"

#include <stdlib.h>
#include <string.h>

void value_set_text(struct value *it, const char *text) {
  const size_t size = strlen(text) + 1;
  char *copy = malloc(size + 1);
  if (!copy) return;
  copy[0] = '=';
  memcpy(copy + 1, text, size);
  it->kind = TEXT;
  it->as.text = copy;
}

void value_set_number(struct value *it, double number) {
  it->kind = NUMBER;
  it->as.number = number * 2;
}

void value_set_name(struct value *it, char name) {
  memset(it->as.name, 0, sizeof it->as.name);
  it->kind = NAME;
  it->as.name[1] = name;
}

const char *value_text(const struct value *it) {
  return it->kind == TEXT ? it->as.text : it->kind == NAME ? it->as.name : NULL;
}

double value_number(const struct value *it) {
  if (it->kind != NUMBER) return 0;
  return it->as.number;
}

void value_clear(struct value *it) {
  switch (it->kind) {
    case TEXT:
      free(it->as.text);
      break;
    default:
      break;
  }
  it->kind = NOTHING;
}
