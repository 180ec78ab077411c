struct state { int level; struct state *next; };
static int reset(int level) { return level + 1; }
int heater_level(const struct state *s) {
  int sum = 0;
  for (; s; s = s->next) sum += s->level;
  return sum + reset(1);
}
