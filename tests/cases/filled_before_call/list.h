#ifndef LIST_H
#define LIST_H
struct list;
struct list *list_new(int room);
int list_push(struct list *list, int value);
void list_scale(struct list *list, double by);
int list_sum(const struct list *list, int bias);
void list_free(struct list *list);
#endif
