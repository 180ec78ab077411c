#ifndef OWNERS_H
#define OWNERS_H

/* A list stands on the heap or with its owner, and each kind is ended by a function of its own. */
struct list {
    int *items;
    int count;
};

struct list *list_new(void);
void list_init(struct list *l);
int list_push(struct list *l, int item);
void list_clear(struct list *l);
void list_free(struct list *l);
int list_sum(const struct list *l, int bias);

/* An expression owns its parts. */
typedef struct expr expr;

expr *expr_new_number(int value);
expr *expr_add(expr *left, expr *right);
void expr_free(expr *e);
int expr_left(const expr *e);
int expr_right(const expr *e);
int expr_value(const expr *e, int factor);

#endif
