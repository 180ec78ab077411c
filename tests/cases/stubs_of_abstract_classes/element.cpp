#include "element.h"
int Element::twice(int by) const {
  return size / 2 - by;
}
int rank(const Report &report) {
  return report.level / 2 + static_cast<int>(report.at.line % 7);
}
unsigned Sub::next() const {
  return line + 1;
}
