/* Needs <stdlib.h> before it, and stands instead of handle.h. */
typedef struct handle {
  int level;
  int dirty;
  size_t size;
} HANDLE;
