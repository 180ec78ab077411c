#pragma once
#include <memory>
#include <vector>
struct Node {
  int value = 0;
  std::vector<int> items;
};
struct View {
  std::shared_ptr<Node> node;
  int from;
};
void raise(std::shared_ptr<Node> node, int by);
void all(std::vector<std::shared_ptr<Node>> nodes, int by);
void look(View view);
int total(std::shared_ptr<const Node> node);
