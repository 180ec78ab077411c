#include "tariff.h"

int tariff_weight(int kind) {
  const struct tariff *now = tariff_active();
  return now->weights[kind & 3] * 2 + 1;
}
