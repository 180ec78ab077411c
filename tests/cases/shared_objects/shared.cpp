#include "shared.h"
void raise(std::shared_ptr<Node> node, int by) {
  node->value ^= by;
  if (by > 3) node->items.push_back(by - 1);
}
void all(std::vector<std::shared_ptr<Node>> nodes, int by) {
  for (auto &node : nodes) node->value ^= by | 1;
}
void look(View view) { view.node->value = view.from | 5; }
int total(std::shared_ptr<const Node> node) { return node->value ^ 9; }
