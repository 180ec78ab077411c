#pragma once

struct Event {
  const char *name;
  int severity;
};

const Event *findEvent(const Event *table, const char *name);
int highestSeverity(const Event *table);
