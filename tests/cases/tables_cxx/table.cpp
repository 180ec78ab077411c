#include "table.h"

#include <cstring>

const Event *findEvent(const Event *table, const char *name) {
  for (; table->name; ++table) {
    if (std::strcmp(table->name, name) == 0) return table;
  }
  return nullptr;
}

int highestSeverity(const Event *table) {
  int highest = -1;
  for (int i = 0; table[i].name != nullptr; ++i) {
    if (table[i].severity > highest) highest = table[i].severity;
  }
  return highest;
}
