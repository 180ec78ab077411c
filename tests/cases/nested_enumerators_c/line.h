#ifndef LINE_H
#define LINE_H

struct line {
  enum { LEFT = 3, CENTER, RIGHT } align;
  int length;
};

void line_center(struct line *line);

#endif
