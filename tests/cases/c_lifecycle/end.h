#ifndef END_H
#define END_H
struct list;
void list_free(struct list *it);
#endif
