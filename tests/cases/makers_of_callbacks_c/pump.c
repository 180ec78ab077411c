#include "pump.h"

#include <stdlib.h>

struct pump {
  int level;
  int (*ask)(void *);
  void *told;
  char *name;
};

struct pump *pump_new(int level) {
  struct pump *it = calloc(1, sizeof *it);
  if (it) it->level = level % 1000;
  return it;
}

struct pump *pump_new_asking(int level, int (*ask)(void *), void *told) {
  struct pump *it = pump_new(level);
  if (!it) return NULL;
  it->ask = ask;
  it->told = told;
  return it;
}

void pump_free(struct pump *it) { free(it); }

int pump_level(struct pump *it) {
  if (it->ask) return it->ask(it->told) + 3;
  return it->level + 1;
}
