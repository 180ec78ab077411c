#ifndef LINE_H
#define LINE_H

struct line {
  enum { LEFT = 3, CENTER, RIGHT } align;
  int length;
};

#define LINE_IS_FULL (203) /* no more of it */
#define LINE_HAS_ROOM 12

void line_center(struct line *line);
int line_add(struct line *line, int more);

#endif
