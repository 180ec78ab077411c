#ifndef LIST_H
#define LIST_H
struct list;
typedef long (*weight)(struct list *of, int by);
struct list *list_new(int first);
int list_add(struct list *it, int by);
int list_sum(void *context);
long list_weigh(struct list *it, weight by);
struct rule { int base; const struct rule *under; };
const struct rule *rule_of_all(void);
int rule_apply(const struct rule *it, int n);
struct flags { unsigned open : 1, depth : 5; int sign : 3; };
int flags_depth(const struct flags *it);
#endif
