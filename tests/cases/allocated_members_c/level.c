#include "level.h"
#include <stdlib.h>
struct level *level_new(int order) {
  const int taps = 2 << (order & 3);
  struct level *made = calloc(1, sizeof *made);
  made->order = order & 3;
  made->weights = malloc(sizeof(short) * (size_t)taps);
  for (int i = 0; i < taps; ++i) made->weights[i] = (short)i;
  return made;
}
void level_tune(struct level *level, int by) {
  const int taps = 2 << level->order;
  for (int i = 0; i < taps; ++i) {
    level->weights[i] = (short)(level->weights[i] + by);
  }
}
void level_reset(struct level *level) {
  short *weights = malloc(4 * sizeof *weights);
  for (int i = 0; i < 3; ++i) weights[i] = (short)(7 * i);
  free(level->weights);
  level->weights = weights;
  level->order = 0;
}
void level_free(struct level *level) {
  free(level->weights);
  free(level);
}
void scratch_init(struct scratch *scratch, int room) {
  if (room < 0 || room > 64) room = 8;
  scratch->store = malloc(sizeof(int) * (size_t)(room + 8));
  scratch->used = 0;
}
void scratch_drop(struct scratch *scratch) {
  scratch->used = 0;
  free(scratch->store);
}
