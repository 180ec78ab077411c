#include "tariff.h"

int tariff_total(int count) {
  int sum = 0;
  for (int kind = 0; kind < (count & 3) + 1; ++kind)
    sum += tariff_weight(kind);
  return sum;
}
