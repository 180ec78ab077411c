/* A type of the project's own by the name that <stdbool.h> has. */
typedef unsigned char bool;
enum { false, true };

static bool alarm_seen = false;

bool watch_levels(const bool *alarms, int count) {
  for (int i = 0; i < count; i++) {
    if (alarms[i]) {
      alarm_seen = true;
    }
  }
  return alarm_seen;
}
