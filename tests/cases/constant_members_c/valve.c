#include "valve.h"

int valve_flow(const struct valve *it, int open) {
  if (open > it->limits.most) {
    return it->id;
  }
  int flow = it->rate * open + it->table[open & 3];
  if (it->limits.least > flow) {
    flow = it->limits.least;
  }
  return it->name && it->name[0] == '!' ? -flow : flow;
}
