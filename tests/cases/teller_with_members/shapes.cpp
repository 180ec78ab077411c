#include "shapes.h"

void square(Teller &teller, int at, int size) {
  teller.begin(teller.layer() == 4 ? 2 : 1);
  teller.vertex(at, at);
  if (size > 0) teller.end(4);
}
