#include "list.h"
#include <stdlib.h>
struct list { struct list *next; int value; };
static int live;
struct list *list_new(int first) {
  struct list *made = malloc(sizeof *made);
  if (made == NULL) return NULL;
  live++;
  made->next = NULL;
  made->value = first;
  return made;
}
/* What ends it is declared elsewhere: the driver and the test
   include what declares it. */



int list_add(struct list *it, int by) {
  if (it->next != NULL) return -1;
  it->value ^= by;
  return it->value + 1;
}
int list_sum(void *context) {
  const struct list *it = context;
  return it->value ^ 5;
}
long list_weigh(struct list *it, weight by) {
  return by(it, 3) + it->value % 100 + 4;
}
static const struct rule all = {40, NULL};
const struct rule *rule_of_all(void) { return &all; }
int rule_apply(const struct rule *it, int n) {
  if (it->base != 40) abort();
  return n % 1000 - it->base;
}
int flags_depth(const struct flags *it) {
  return it->open ? it->depth + it->sign : 0;
}
