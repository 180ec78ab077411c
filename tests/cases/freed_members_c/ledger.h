#ifndef LEDGER_H
#define LEDGER_H
#include <stddef.h>
struct entry {
  int kind;
  char *value;
};
struct list {
  int *items;
  size_t count;
  size_t room;
};
void entry_set(struct entry *entry, int kind, const char *value);
int entry_clear(struct entry *entry);
int list_push(struct list *list, int item);
int entry_take(struct entry *entry);
int label_take(char *label, int kind);
struct shelf {
  int count;
  struct entry *entries[4];
};
void entry_drop(struct entry *entry);
int entries_release(struct entry *all);
int shelf_release(struct shelf *shelf);
#endif
