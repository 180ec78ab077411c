#include "ledger.h"
#include <stdlib.h>
void entry_drop(struct entry *entry) {
  if (entry != NULL) {
    free(entry->value);
    free(entry);
  }
}
int entries_release(struct entry *all) {
  int sum = 1, i;
  for (i = 0; all[i].kind != 0; i++) {
    sum += all[i].kind;
    free(all[i].value);
  }
  free(all);
  return sum;
}
int shelf_release(struct shelf *shelf) {
  int sum = 0, i;
  for (i = 0; i < shelf->count; i++) {
    sum += 3 * shelf->entries[i]->kind;
    entry_drop(shelf->entries[i]);
  }
  free(shelf);
  return sum;
}
