#include "odd.h"
std::unique_ptr<Root> both(int n) {
  auto *made = new Both;
  made->left = n | 1;
  made->both = n | 2;
  return std::unique_ptr<Root>(made);
}
std::unique_ptr<Root> quiet(int n) { return Quiet::make(n | 4); }
std::unique_ptr<Root> away(int n) { return Far::make(n | 8); }
std::unique_ptr<Root> typed(int n) {
  auto *made = new IntTyped;
  made->value = n | 16;
  return std::unique_ptr<Root>(made);
}
std::shared_ptr<Root> kind(int n) {
  if (n > 3) return std::make_shared<Both>();
  return std::make_shared<IntTyped>();
}
void number(std::shared_ptr<int> number, int k) {
  if (number) *number = k | 32;
}
void refer(std::reference_wrapper<Node> node, int k) { node.get().value = k | 64; }
void weak(std::weak_ptr<Node> node, int k) {
  if (auto held = node.lock()) held->value = k | 128;
}
void widen(Wide wide, int k) { wide.node->value = k | 256; }
