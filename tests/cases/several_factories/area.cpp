#include "outline.hpp"

int area_of(const Outline *outline) {
  if (outline->kind() == Outline::Kind::kRectangle) return outline->width() * 2 + 1;
  return outline->width() + 5;
}
