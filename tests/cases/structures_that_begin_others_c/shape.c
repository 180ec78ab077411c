#include "shape.h"

#include <stdlib.h>

struct circle {
  struct shape base;
  int radius;
};
struct box {
  struct shape base;
  int width, height;
};

struct shape *shape_circle(int radius) {
  struct circle *const made = malloc(sizeof *made);
  if (!made) return NULL;
  made->base.kind = 1;
  made->radius = radius;
  return &made->base;
}

struct shape *shape_box(int width, int height) {
  struct box *const made = malloc(sizeof *made);
  if (!made) return NULL;
  made->base.kind = 2;
  made->width = width;
  made->height = height;
  return &made->base;
}

void shape_free(struct shape *shape) { free(shape); }

int shape_extent(const struct shape *shape) {
  if (shape->kind == 1) return 2 * (((const struct circle *)shape)->radius % 1000);
  if (shape->kind == 2) return ((const struct box *)shape)->width % 1000 + ((const struct box *)shape)->height % 1000;
  return 0;
}
