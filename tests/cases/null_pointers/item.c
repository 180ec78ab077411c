#include <stddef.h>
typedef struct { int n; } item;
int of(const item *it, char *out) {
  if (it == NULL) return 5;
  if (out) out[0] = 'a';
  return it->n;
}
