#ifndef VALVE_H
#define VALVE_H

#define KIND_GATE 4711
#define KIND_BALL 5140

enum valve_state { VALVE_SHUT = 100, VALVE_MOVING = 217, VALVE_OPEN = 330 };

struct valve {
  int state;
  int kind;
  int turns;
};

int valve_turns_left(const struct valve *valve);
int valve_rank(int state, int kind);

#endif
