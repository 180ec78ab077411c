#include "owners.h"
#include <stdio.h>

int main(void) {
    struct list l;
    list_init(&l);
    list_push(&l, 3);
    printf("%d\n", list_sum(&l, 1));
    list_clear(&l);
    expr *e = expr_add(expr_new_number(4), expr_new_number(5));
    printf("%d\n", expr_value(e, 2));
    expr_free(e);
    return 0;
}
