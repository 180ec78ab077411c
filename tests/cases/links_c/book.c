#include "book.h"

#include <stdlib.h>
#include <string.h>

struct book *book_new(int order) {
  struct book *it = calloc(1, sizeof *it);
  if (it) it->order = order;
  return it;
}
void book_free(struct book *it) { free(it); }

struct page *page_new(int number) {
  struct page *it = calloc(1, sizeof *it);
  if (it) it->number = number;
  return it;
}
void page_free(struct page *it) { free(it); }

struct line *line_new(const char *text) {
  struct line *it = calloc(1, sizeof *it);
  if (it) it->text = strdup(text), it->length = (int)strlen(text);
  return it;
}
void line_free(struct line *it) {
  if (it) free(it->text);
  free(it);
}
void page_take(struct page *it, struct line *one) {
  one->owner = it;
  it->last = one;
}

int line_place(struct line *it) {
  if (!it || !it->owner || !it->owner->owner) return -1;
  return it->owner->owner->order > 2 ? it->owner->number - it->length : it->length;
}
