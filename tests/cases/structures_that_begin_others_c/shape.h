struct shape {
  int kind;
};
struct shape *shape_circle(int radius);
struct shape *shape_box(int width, int height);
void shape_free(struct shape *shape);
int shape_extent(const struct shape *shape);
