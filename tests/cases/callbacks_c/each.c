#include <stddef.h>
typedef int (*visitor)(int item, void *context);
int each(const int *items, int count, visitor visit, void *context) {
  int n = 0;
  for (int i = 0; i < count; i++)
    if (visit(items[i] + 1, context) > 0) n += 1;
  return n;
}
int fill(int (*get)(unsigned char *to, int length)) {
  unsigned char b[4] = {0, 0, 0, 0};
  int n = get(b, 4);
  return n > 0 ? b[0] + 2 : -1;
}
int sorted(const int *items, int count, int (*compare)(const void *, const void *)) {
  int n = 1;
  for (int i = 1; i < count; i++) n = n && compare(items + i - 1, items + i) <= 0;
  return n + count;
}
