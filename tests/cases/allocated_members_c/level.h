#ifndef LEVEL_H
#define LEVEL_H
struct level {
  int order;
  short *weights;
};
struct level *level_new(int order);
void level_tune(struct level *level, int by);
void level_reset(struct level *level);
void level_free(struct level *level);
#endif
