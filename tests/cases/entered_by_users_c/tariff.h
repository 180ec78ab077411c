#ifndef TARIFF_H
#define TARIFF_H

struct tariff {
  int weights[4];
};

/* What was loaded last; NULL before. */
const struct tariff *tariff_active(void);
int tariff_load(const char *text);
int tariff_weight(int kind);
int tariff_total(int count);
int tariff_score(const char *text, int kind);

#endif
