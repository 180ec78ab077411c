#include "sheet.h"

int sheet_over(const struct sheet *it) {
  int over = 0;
  for (int i = 0; i < it->used; i++)
    if (it->columns[i].limit && *it->columns[i].limit > it->columns[i].filled) over++;
  return over;
}

long sheet_total(const struct sheet *it) {
  long total = 0;
  for (int i = 0; i < it->rows; i++)
    for (int j = 0; j < 3; j++) total += (j + 1) * it->cells[i][j];
  return total;
}

int sheet_find(const struct sheet *it, char first) {
  for (int i = 0; i < it->named; i++)
    if (it->names[i][0] == first) return it->views && it->views[i] ? i : i + 10;
  return -1;
}

int book_marked(const struct sheet *all, int count) {
  int marked = 0;
  for (int i = 0; i < count; i++)
    if (all[i].named > 0 && all[i].names[0][0] == '*') marked++;
  return marked;
}
