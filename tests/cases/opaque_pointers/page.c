#include <stddef.h>
typedef struct page page;
typedef struct node { struct node *next; struct node **link; int n; } node;
typedef struct module {
  int (*find)(int n, void (**found)(int));
  int base;
} module;
int chained(const node *it, int k) {
  if (it->link != NULL && k > 100) return it->n + 2;
  return it->n - k;
}
page *page_of(int n) {
  static int rooms[4];
  return (page *)&rooms[n & 3];
}
int sized(page *first, int unit) { return first == NULL ? unit + 4 : unit * 3; }
int looked(module *m, int n) {
  void (*found)(int) = NULL;
  return m->find(n, &found) + m->base + 5;
}
