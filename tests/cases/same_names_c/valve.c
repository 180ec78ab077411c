struct state { double open, limit; char name[8]; };
static int reset(int level) { return level * 3; }
double valve_open(const struct state *s) {
  return s->open * s->limit + reset(2) + s->name[0];
}
