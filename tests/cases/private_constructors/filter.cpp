#include "filter.h"
std::vector<int> Filter::above(int least, const std::vector<int> &from) {
  Filter filter(least);
  for (int n : from) filter.visit(n);
  return filter.found_;
}
void Filter::visit(int at) {
  if (at > least_) found_.push_back(at - 1);
}
int Filter::sum(int by) const {
  int sum = 0;
  for (int n : found_) sum += n * by;
  return sum;
}
int Registry::total(int n) {
  Registry registry;
  registry.add(n);
  return registry.count(2);
}
int Registry::count(int by) const { return count_ * by + 1; }
