#include "shapes.h"
int discs = 0;
Disc::Disc(int size) : size_(size) { ++discs; }
Disc::~Disc() {
  discs -= 1;
}
Disc *Maker::createDisc(int size) const { return new Disc(size); }
