typedef struct { double x, y; } point_t;
typedef struct { int id; point_t at; } track_t;
typedef struct { track_t *tracks; int used; int room; } store_t;
typedef struct { int top; int cells[12]; } shelf_t;
double area(const point_t *corners, int n) {
  double sum = 0;
  int i;
  if (n < 3) return -1;
  for (i = 0; i < n; i++) {
    const point_t *a = &corners[i], *b = &corners[(i + 1) % n];
    sum += a->x * b->y - b->x * a->y;
  }
  return sum / 2;
}
void shift(point_t *all, int n, double by) {
  point_t *p;
  for (p = all; p < all + n; p++) p->x += by;
}
int seen(const store_t *store, int id) {
  int i, found = 0;
  for (i = 0; i < store->used; ++i)
    if (store->tracks[i].id == id) found++;
  return found;
}
int add(store_t *store, const track_t *one) {
  if (store->used >= store->room) return -1;
  store->tracks[store->used++] = *one;
  return store->used;
}
int push(shelf_t *s, int value) {
  if (s->top >= 12) return -1;
  s->cells[s->top++] = value;
  return 0;
}
int total(const shelf_t *s) {
  int i, sum = 0;
  for (i = 0; i < s->top; i++) sum += s->cells[i];
  return sum;
}
unsigned leading(const char *const *names, unsigned count) {
  unsigned i, best = 0;
  for (i = 1; i < count; i++)
    if (names[i][0] > names[best][0]) best = i;
  return best;
}
int least(const int table[8], int at) { return table[at & 7] > 2 ? 1 : 0; }
int third(char types[][3][4], int row) { return types[0][row & 1][2] == 'x' ? 1 : 2; }
