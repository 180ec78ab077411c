#include "table.h"

#include <cstring>

const Event *findEvent(const Event *table, const char *name) {
  for (; table->name; ++table) {
    if (std::strcmp(table->name, name) == 0) return table;
  }
  return nullptr;
}

int factorOfFirst(const Unit *units, int count) {
  for (int i = 0; i < count; ++i) {
    if (std::strcmp(units[i].name, "m") == 0 && units[i].factor == 0) return i + 1;
  }
  return 0;
}

int highestSeverity(const Event *table) {
  int highest = -1;
  for (int i = 0; table[i].name != nullptr; ++i) {
    if (table[i].severity > highest) highest = table[i].severity;
  }
  return highest;
}
