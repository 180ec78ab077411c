#include "note.h"
struct vermilion {
  struct note base;
  int shades[4];
};
static int vermilion_value(const struct note *note, int at) {
  const struct vermilion *own = (const struct vermilion *)note;
  return own->shades[at & 3] * 2 - at;
}
struct note *vermilion_new(struct arena *arena) {
  struct vermilion *made = arena ? arena_take(arena, sizeof *made) : NULL;
  if (!made) return NULL;
  made->base.arena = arena;
  made->base.value = vermilion_value;
  for (int i = 0; i < 4; ++i) made->shades[i] = 10 * i + 1;
  return &made->base;
}
