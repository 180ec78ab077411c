#ifndef ARENA_H
#define ARENA_H
#include <stddef.h>
/* What it is, only its own file knows. */
struct arena;
struct arena *arena_new(void);
void *arena_take(struct arena *arena, size_t size);
#endif
