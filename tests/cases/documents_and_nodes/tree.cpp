#include "tree.hpp"
struct Item {
  Item *inner = nullptr;
  int size = 0;
  explicit Item(Item **where) { *where = this; }
  Item(const Item &) = delete;
  ~Item() { delete inner; }
};
Mark::Mark() : item_(nullptr) {}
Mark::Mark(Item *item) : item_(item) {}
int Mark::grow(int by) {
  if (!item_) return 0;
  return item_->size + by;
}
Node::Node() : item_(nullptr) {}
Node::Node(Item *item) : item_(item) {}
int Node::depth() const {
  int depth = 0;
  if (!item_) return -1;
  for (const Item *at = item_; at; at = at->inner) depth++;
  return depth + 3;
}
Mark Node::append_mark() {
  // The document itself has none.
  if (!item_ || item_->size == 0) return Mark();
  item_->size += 5;
  return Mark(item_);
}
Document::Document() {}
Document::~Document() { delete item_; }
bool Document::load(const char *text) {
  delete item_;
  new Item(&item_);
  Item *last = item_;
  for (; *text; ++text) {
    if (*text == '<') {
      new Item(&last->inner);
      last = last->inner;
    } else if (last != item_) {
      last->size++;
    }
  }
  return last != item_;
}
Node Document::root() const { return item_ ? Node(item_->inner) : Node(); }
