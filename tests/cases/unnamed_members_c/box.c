struct box {
  union {
    float real;
    int number;
  };
  struct {
    int x, y;
  };
  struct {
    int id;
    char *name;
  } slots[2];
  struct {
    int low, high;
  } now, before;
};
void move(struct box *b, int x, int y) {
  b->x = x * 2;
  b->y = y;
  b->slots[x & 1].id = y + 1;
  b->number = x;
  b->before = b->now;
  b->now.high = y;
}
int where(const struct box *b) {
  return (b->x < -7 ? b->y : 0) + b->slots[1].id + (b->number & 3);
}
