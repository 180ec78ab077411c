#include "owners.h"
#include <stdlib.h>

struct expr {
    expr *left, *right;
    int value;
};

struct list *list_new(void) {
    return calloc(1, sizeof(struct list));
}

void list_init(struct list *l) {
    l->items = NULL;
    l->count = 0;
}

int list_push(struct list *l, int item) {
    int *more = realloc(l->items, (size_t)(l->count + 1) * sizeof *more);
    if (more == NULL) return -1;
    l->items = more;
    l->items[l->count++] = item;
    return 0;
}

void list_clear(struct list *l) {
    free(l->items);
    list_init(l);
}

void list_free(struct list *l) {
    free(l->items);
    free(l);
}

expr *expr_new_number(int value) {
    expr *e = calloc(1, sizeof *e);
    e->value = value;
    return e;
}

expr *expr_add(expr *left, expr *right) {
    expr *e = calloc(1, sizeof *e);
    e->left = left;
    e->right = right;
    return e;
}

void expr_free(expr *e) {
    if (e == NULL) return;
    expr_free(e->left);
    expr_free(e->right);
    free(e);
}

int expr_left(const expr *e) {
    return e->left ? e->left->value : 0;
}

int expr_right(const expr *e) {
    return e->right ? e->right->value : 0;
}
