#include "mesh.h"

#include <stdlib.h>
#include <string.h>

struct mesh *mesh_new(const char *name) {
  struct mesh *it = calloc(1, sizeof *it);
  if (it) strncpy(it->name, name, sizeof it->name - 1);
  return it;
}

void mesh_free(struct mesh *it) {
  if (it) free(it->points);
  free(it);
}

int mesh_new_points(struct mesh *it, unsigned char count) {
  unsigned i;
  struct point *points = calloc(count + 1u, sizeof *points);
  if (!points) return 0;
  free(it->points);
  it->points = points;
  it->count = count;
  for (i = 0; i < count; i++) points[i].x = (short)(3 * i);
  return 1;
}

int mesh_width(const struct mesh *it) {
  unsigned i;
  int most = 0;
  if (!it->points) return -1;
  for (i = 0; i < it->count; i++) {
    if (it->points[i].x > most) most = it->points[i].x + 1;
  }
  return most;
}
