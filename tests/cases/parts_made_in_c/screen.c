#include "screen.h"
#include <stdlib.h>
struct terminal {
  int rows, columns;
  int *widths;
};
struct screen {
  struct terminal *terminal;
  char *cells;
};
struct terminal *terminal_new(unsigned char rows, unsigned char columns) {
  struct terminal *made = calloc(1, sizeof *made);
  made->rows = rows % 6 + 1;
  made->columns = columns % 9 + 1;
  made->widths = calloc((size_t)made->rows, sizeof *made->widths);
  for (int i = 0; i < made->rows; ++i) made->widths[i] = made->columns;
  return made;
}
struct screen *screen_new(struct terminal *terminal) {
  struct screen *made = calloc(1, sizeof *made);
  made->terminal = terminal;
  made->cells = calloc((size_t)(terminal->rows * terminal->widths[terminal->rows - 1]), 1);
  return made;
}
int screen_put(struct screen *screen, unsigned char row, unsigned char column, char c) {
  const struct terminal *terminal = screen->terminal;
  if (row >= terminal->rows || column >= terminal->widths[row]) return -1;
  screen->cells[row * terminal->columns + column] = c;
  return row * terminal->columns + column;
}
void screen_free(struct screen *screen) {
  free(screen->cells);
  free(screen);
}
