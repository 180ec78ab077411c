#include "tables.h"

namespace {

const double rows[3][2] = {{1.5, 2.5}, {3.5, 4.5}, {5.5, 6.5}};
const int coarse[] = {16, 11, 10};
const int fine[] = {3, 2, 2};

}  // namespace

int script_of(unsigned short character, const unsigned int **characters) {
  static const unsigned int map[] = {0x20ac, 0x201a, 0x0192, 0x201e, 0x2026};
  if (character < 0x80 || character > 0x84) {
    return 0;
  }
  *characters = &map[character - 0x80];
  return 1;
}

const double *row_of(std::size_t index) {
  return index < 3 ? rows[index] : nullptr;
}

void Quantiser::use(int level) {
  steps_ = level > 5 ? fine : coarse;
}
