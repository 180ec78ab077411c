#include "ref.h"
int Node::value(int k) const { return k > n_ ? k : n_ + 1; }
int weight(const Ref<Node> &node, int k) { return node ? node->value(k) + 2 : -1; }
int Tree::sum(int k) const { return root_ ? root_->value(k & 63) * 2 : 0; }
