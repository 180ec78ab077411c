#include "list.h"
#include <stdlib.h>
struct list {
  int n;
  int room;
  int *items;
};
struct list *list_new(int room) {
  struct list *made = malloc(sizeof *made);
  made->n = 0;
  made->room = room & 15;
  made->items = calloc(16, sizeof(int));
  return made;
}
int list_push(struct list *list, int value) {
  if (list->n >= list->room) return -1;
  list->items[list->n++] = value & 0xffff;
  return 0;
}
void list_scale(struct list *list, double by) {
  int i;
  for (i = 0; i < list->n; ++i) {
    list->items[i] = by > 2.0 ? 2 * list->items[i] : 0;
  }
}
int list_sum(const struct list *list, int bias) {
  int i, sum = bias & 0xff;
  for (i = 0; i < list->n; ++i) {
    sum += list->items[i];
  }
  return sum;
}
void list_free(struct list *list) {
  free(list->items);
  free(list);
}
