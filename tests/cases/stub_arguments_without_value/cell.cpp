#include "cell.h"
namespace n {
int run(Sink &sink, int n) {
  Cell cell;
  cell.a = n * 3;
  sink.take(cell);
  return 1;
}
int leave(Sink &sink, int n) {
  Cell *cell = new Cell;
  cell->rest = n;
  delete cell;
  sink.gone(cell);
  return n + 1;
}
}
