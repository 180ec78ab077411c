#include "label.hpp"
static const Label none("");
class Tag : public Label {
 public:
  Tag() : Label("tag") {}
  int size() const override { return 3; }
};
static const Tag tag;
int twice(int x) {
  return x * 2;
}
int made() {
  return Label::made + 1;
}
int named(const char *s) {
  return Label(s).size() + 1;
}
