#ifndef INTERNAL_H
#define INTERNAL_H

/* What the parser is at: known by its address. */
struct mode {
  const char *name;
};
extern const struct mode parsing;

struct inside {
  const struct mode *mode;
  const char *at;
  int depth;
  int steps;
  int marks;
};

void inside_step(struct inside *it);

#endif
