#include "owners.h"

int list_sum(const struct list *l, int bias) {
    int sum = bias % 100;
    for (int at = 0; at < l->count; at++) sum += l->items[at] % 100;
    return sum;
}

int expr_value(const expr *e, int factor) {
    if (expr_left(e) == 0 || expr_right(e) == 0) return -1;
    return expr_left(e) % 100 + (factor & 3);
}
