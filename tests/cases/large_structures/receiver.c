#include <string.h>
struct common { int kind; int flags; };
struct receiver {
  struct common base;
  double history[20000];
  unsigned char *buffer;
  unsigned length;
  int mode;
  double other[20000];
  int steps;
};
static int is_open(const struct receiver *r) { return r->mode == 3; }
int step(struct receiver *r, const double *gain, int n) {
  if (!is_open(r)) return -1;
  if (n > 2 && gain[2] > 1) r->steps += n;
  return r->steps > 100 ? 1 : 0;
}
void mark(struct receiver *r, int by) { r->buffer[0] = (unsigned char)by; }
int of_kind(struct receiver *r) {
  struct common *base = (struct common *)r;
  if (base->kind == 3) return 5;
  base->flags = 1;
  return 2;
}
void copy(struct receiver *to, const struct receiver *from) { *to = *from; }
