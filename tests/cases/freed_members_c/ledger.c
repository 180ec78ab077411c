#include "ledger.h"
#include <stdlib.h>
#include <string.h>
void entry_set(struct entry *entry, int kind, const char *value) {
  if (entry->kind != kind) return;
  free(entry->value);
  entry->value = malloc(strlen(value) + 1);
  strcpy(entry->value, value);
  if (kind > 7) entry->kind = 0;
}
int entry_clear(struct entry *entry) {
  int had = entry->value != NULL && entry->value[0] == 'x';
  free(entry->value);
  entry->value = NULL;
  entry->kind += 2;
  return had;
}
int list_push(struct list *list, int item) {
  if (list->count == list->room) {
    size_t room = list->room ? list->room * 2 : 4;
    int *items = realloc(list->items, room * sizeof *items);
    if (items == NULL) return -1;
    list->items = items;
    list->room = room;
  }
  list->items[list->count++] = item;
  return (int)list->count;
}
int entry_take(struct entry *entry) {
  int kind = entry->kind * 3;
  free(entry->value);
  free(entry);
  return kind;
}

int label_take(char *label, int kind) {
  const int result = label[0] == 'q' ? kind + 5 : kind;
  free(label);
  return result;
}
