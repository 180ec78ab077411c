#include "internal.h"

#include <stdlib.h>

enum { ROOM = 4 };

static unsigned long check_of(const struct session *it) { return (unsigned long)it ^ 0x5e55UL; }

static struct session *made(int level) {
  struct session *it = malloc(sizeof *it);
  if (it == NULL) return NULL;
  it->check = check_of(it);
  it->level = level;
  it->values = calloc(ROOM, sizeof *it->values);
  return it;
}

session_handle session_open(int level) {
  struct session *it = made(level & 7);
  return AS_HANDLE(it);
}

void session_close(session_handle handle) {
  struct session *it = AS_SESSION(handle);
  free(it->values);
  free(it);
}

int session_set(session_handle handle, int place, int value) {
  struct session *it = AS_SESSION(handle);
  if (place < 0 || place >= ROOM) return 0;
  it->values[place] = value;
  return 1;
}

/* Nobody but the library's own functions gets past this. */
int session_weight(struct session *it, int place) {
  if (it->check != check_of(it)) abort();
  if (place < 0 || place >= ROOM) return -1;
  return it->values[place] * 3 + it->level;
}
