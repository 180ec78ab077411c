#pragma once

struct Event {
  const char *name;
  int severity;
};

// Entries that come with values of their own.
struct Unit {
  const char *name = "none";
  int factor = 1;
};

int factorOfFirst(const Unit *units, int count);
const Event *findEvent(const Event *table, const char *name);
int highestSeverity(const Event *table);
