#ifndef POLYNOMIAL_H
#define POLYNOMIAL_H

struct checksum {
  int width;
  const unsigned short *table;
};

const unsigned short *polynomial_of(int kind);
int find_polynomial(int kind, const unsigned short **found);
void choose_table(struct checksum *checksum);

#endif
