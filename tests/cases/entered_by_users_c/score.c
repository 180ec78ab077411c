#include "tariff.h"

int tariff_score(const char *text, int kind) {
  if (tariff_load(text) != 0)
    return -1;
  return tariff_total(kind);
}
