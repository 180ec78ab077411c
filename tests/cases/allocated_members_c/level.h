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
struct scratch {
  int *store;
  int used;
};
void scratch_init(struct scratch *scratch, int room);
void scratch_drop(struct scratch *scratch);
#endif
