#ifndef BOOK_H
#define BOOK_H

struct line;
struct page;
struct book {
  int order;
  struct page *first;
};
struct page {
  struct book *owner;
  struct line *last;
  int number;
};
struct line {
  struct page *owner;
  char *text;
  int length;
};

struct book *book_new(int order);
void book_free(struct book *it);
struct page *page_new(int number);
void page_free(struct page *it);
struct line *line_new(const char *text);
void line_free(struct line *it);
void page_take(struct page *it, struct line *one);
int line_place(struct line *it);

#endif
