typedef enum { none_PRESENT, pair_PRESENT } present;
typedef struct {
  present kind;
  union {
    struct {
      int count;
      int all[3];
    } pair;
    double number;
  } u;
} message;
int total(const message *m) {
  if (m->kind != pair_PRESENT || m->u.pair.count < 2) return 0;
  return m->u.pair.all[0] % 100 + m->u.pair.all[1] % 100;
}
