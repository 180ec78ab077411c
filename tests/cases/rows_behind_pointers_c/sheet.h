struct column {
  int filled;
  int *limit;
};

struct sheet;
typedef void (*view)(struct sheet *);

struct sheet {
  struct column *columns;
  int used;
  int **cells;
  int rows;
  char (*names)[8];
  view *views;
  int named;
};
