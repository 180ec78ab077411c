#ifndef VALVE_H
#define VALVE_H

struct limits {
  int least;
  int most;
};

/* Set once, where it is declared. */
struct valve {
  const int id;
  const struct limits limits;
  int rate;
  const short table[4];
  char *const name;
};

int valve_flow(const struct valve *it, int open);

#endif
