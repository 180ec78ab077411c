#include "line.h"

void line_center(struct line *line) {
  if (line->length > 0) line->align = CENTER;
}

int line_add(struct line *line, int more) {
  if (line->length > 80) return LINE_IS_FULL;
  line->length += more;
  return LINE_HAS_ROOM;
}
