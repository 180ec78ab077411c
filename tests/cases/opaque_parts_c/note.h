#ifndef NOTE_H
#define NOTE_H
#include "arena.h"
/* Each kind of note has a maker of its own, and all are handed out as this. */
struct note {
  int (*value)(const struct note *note, int at);
  struct arena *arena;
};
struct note *red_new(struct arena *arena);
struct note *vermilion_new(struct arena *arena);
#endif
