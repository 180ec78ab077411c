#ifndef MESH_H
#define MESH_H

struct point {
  short x, y;
};

struct mesh {
  char name[8];
  unsigned count;
  struct point *points;
};

struct mesh *mesh_new(const char *name);
void mesh_free(struct mesh *it);
int mesh_new_points(struct mesh *it, unsigned char count);
int mesh_width(const struct mesh *it);

#endif
