#include "box.hpp"
#include <cstdlib>
// Both of its attributes are asked for.
int box_size(const markup::Node &node) {
  const char *wide = node.attribute("wide");
  const char *high = node.attribute("high");
  if (!wide || !high) return -1;
  return std::atoi(wide) + 2 * std::atoi(high);
}
// Its weight is told by a child.
int box_weight(markup::Node *node) {
  const markup::Node *mass = node->child("mass");
  if (!mass) return -1;
  const char *value = mass->attribute("value");
  return value ? std::atoi(value) + 5 : -2;
}
