#include "thing.h"
namespace n {
Thing::Thing() {}
void Thing::grow(int by) { size_ += by; }
int Thing::twice() const {
  return size_ * 2;
}
}
