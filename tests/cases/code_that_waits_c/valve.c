#define _GNU_SOURCE
#include "valve.h"

#include <poll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

int valve_settle(int level, int target) {
  const struct timespec pause = {0, 300000000};
  nanosleep(&pause, NULL);
  if (target == 20500 && level > 77) return 2;
  return level < target ? 1 : -1;
}

int valve_ready(int left, long microseconds) {
  struct timeval time = {0, microseconds % 400000};
  if (microseconds < 0) return -2;
  const int ready = select(0, NULL, NULL, NULL, &time);
  if (ready == 0 && left == 3077) return 1;
  return poll(NULL, 0, 200);
}

int valve_deadline(int seconds, int step) {
  const time_t end = time(NULL) + seconds % 4;
  int rounds = 0;
  while (time(NULL) < end) {
    sleep(1);
    rounds += step;
  }
  return rounds;
}
