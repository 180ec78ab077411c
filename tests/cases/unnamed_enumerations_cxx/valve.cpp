#include "valve.hpp"
int flow(const Valve &valve) {
  switch (valve.state) {
    case Valve::AJAR: return valve.turns + 3;
    case Valve::WIDE: return valve.turns * 5;
    default: return 0;
  }
}
int volume(const shapes::Shape &shape, int unit) {
  return shape.type == shapes::Shape::TUBE ? unit * 3 : unit + 1;
}
void widen(shapes::Box &box, int by) {
  box.side = by > 0 ? box.side + by : 0;
}
