#include "line.h"

void line_center(struct line *line) {
  if (line->length > 0) line->align = CENTER;
}
