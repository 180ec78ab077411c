#include "pool.h"
#include <string.h>
struct text *text_new(const struct hooks *hooks) {
  struct text *text = hooks->malloc(sizeof *text, hooks->user);
  memset(text, 0, sizeof *text);
  text->hooks = hooks;
  return text;
}
int text_put(struct text *text, int c) {
  if (text->used == text->room) {
    text->room += 4;
    text->at = text->hooks->resize(text->at, text->room, text->hooks->user);
  }
  text->at[text->used++] = (char)(c ^ 0x20);
  return (int)text->used;
}
int text_last(const struct text *text) {
  return text->used > 1 ? text->at[text->used - 1] + text->at[0] : -1;
}
void text_free(struct text *text) {
  if (text->at) text->hooks->release(text->at, text->hooks->user);
  text->hooks->release(text, text->hooks->user);
}
