#include <stdlib.h>
struct node {
  int n;
  struct node *next;
};
struct node *node_new(int n) {
  struct node *node = calloc(1, sizeof *node);
  if (node) node->n = n;
  return node;
}
void node_free(struct node *node) { free(node); }
int node_join(struct node *first, struct node *second) {
  if (first == NULL || second == NULL) return -1;
  first->n += second->n;
  return first->n;
}
