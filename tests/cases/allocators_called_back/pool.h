#ifndef POOL_H
#define POOL_H
#include <stddef.h>
/* Who uses the library says where its memory comes from. */
struct hooks {
  void *(*malloc)(size_t size, void *user);
  void *(*resize)(void *block, size_t size, void *user);
  void (*release)(void *block, void *user);
  void *user;
};
struct text {
  const struct hooks *hooks;
  char *at;
  size_t used, room;
};
struct text *text_new(const struct hooks *hooks);
int text_put(struct text *text, int c);
int text_last(const struct text *text);
void text_free(struct text *text);
#endif
