#define WANT_BOX
#define BOX_NAME DependentBox
#include "length.hpp"
#include "box.hpp"

int DependentBox::area() const { return width_.value * height_; }

int DependentBox::grow(int by) {
  if (by < 0 || by > 1000) return -1;
  height_ += by;
  return height_;
}
