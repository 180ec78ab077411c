#include "chain.h"

long chain_weight(const struct chain *it) {
  const struct link *at;
  long sum = 0, place = 1;
  for (at = it->first; at; at = at->next) sum += at->weight * place++;
  return sum;
}

int link_third(const struct link *it) {
  if (!it->next) return -1;
  if (!it->next->next) return -2;
  return it->next->next->weight + 5;
}

int twig_depth(const struct twig *it) {
  int left = 0, right = 0;
  if (it->left) left = 1 + it->left->leaf;
  if (it->right) right = 2 + it->right->leaf;
  return left > right ? left : right;
}
