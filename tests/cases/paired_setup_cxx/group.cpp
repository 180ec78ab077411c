#include "group.h"
#include <cstdlib>
void Group::add(Member *member) {
  member->next = first_;
  first_ = member;
  ++count_;
}
void Group::remove(Member *member) {
  for (Member **at = &first_; *at; at = &(*at)->next) {
    if (*at != member) continue;
    *at = member->next;
    --count_;
    return;
  }
  std::abort();
}
void Group::setRank(const std::string &name, double rank) { ranks_[name] = rank; }
bool Group::hasRank(const std::string &name) const {
  const auto at = ranks_.find(name);
  return at != ranks_.end() && at->first.size() > 3;
}
int Attribute::length() const {
  return before_ ? 0 : static_cast<int>(value_.size()) + 1;
}
void Element::setAttribute(const char *value) {
  if (!attribute_) attribute_ = new Attribute();
  attribute_->value_ = value;
}
void Owner::insert(Member *member) {
  delete kept_;
  kept_ = member;
}
int Owner::erase(Member *member) {
  if (kept_ != member) return -1;
  const int weight = member->weight;
  delete member;
  kept_ = nullptr;
  return weight * 2;
}
