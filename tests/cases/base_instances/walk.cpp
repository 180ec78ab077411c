#include "walk.h"

const Node *Highest::post_visit(const Node *node, const Node *parent) {
  return parent != nullptr && is_higher(parent, node) ? parent : node;
}

bool Highest::is_higher(const Node *node, const Node *than) { return node->value > than->value + 1; }

int depth_of(const Node *node) {
  Depth depth;
  return depth.walk(node, 0);
}
