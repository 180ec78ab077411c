#include "outline.hpp"

Outline *Outline::circle(int radius) { return new Outline(Kind::kCircle, radius); }

Outline *Outline::parse(const char *text) {
  if (text[0] != 'r') return nullptr;
  return new Outline(Kind::kRectangle, text[1]);
}

void Outline::release() {
  width_ = -1;
  delete this;
}
