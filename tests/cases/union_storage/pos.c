typedef struct {
  int kind;
  union {
    double f;
    long i;
  } u;
} pos;
int put(pos *p, long v) {
  p->kind = 1;
  p->u.i = v + 1;
  return 0;
}
