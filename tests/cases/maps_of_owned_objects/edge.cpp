#include "ring.h"
void Edge::join(const Ring &ring) {
  marks.set(1, ring.size + 4);
}
int sum(std::map<int, std::unique_ptr<Marks>> &all) {
  int total = 0;
  for (auto &one : all) total += one.first;
  return total;
}
