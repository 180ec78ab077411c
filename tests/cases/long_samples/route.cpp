#include "route.hpp"
// A first line, stations, and a last line.
int parse_route(const std::string &text) {
  if (text.size() < 90 || text.compare(0, 9, "route-v2\n") != 0) return -1;
  const std::size_t tail = text.rfind("\nend of route\n");
  if (tail == std::string::npos || tail < 70) return -2;
  return static_cast<int>(tail * 2);
}
// Twelve lines of a name and a weight; nothing else is told.
int load_weights(std::istream &in) {
  std::string name;
  int sum = 0;
  int place = 0;
  for (int weight = 0; in >> name >> weight; place = place + 1) {
    if (name.size() < 5 || name.back() != ':') return -1;
    sum += weight % 7;
  }
  return place < 12 ? -2 : sum;
}
