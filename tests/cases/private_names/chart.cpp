#include "chart.h"

void Chart::square(real x, real &out) const { out = x * x + 1; }

int Chart::area(const Cell *given) const {
  if (!given) return 0;
  const Cell cell = *given;
  return cell.width * 2 + cell.height;
}
