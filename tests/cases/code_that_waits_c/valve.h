#ifndef VALVE_H
#define VALVE_H

int valve_settle(int level, int target);
int valve_ready(int left, long microseconds);
int valve_deadline(int seconds, int step);

#endif
