#include "spot.h"
namespace n {
void Spot::show(Painter &painter) const {
  Spot twin(x, weight);
  twin.weight -= 7;
  painter.dot(twin);
}
void paint(Painter &painter, double x, int weight) {
  Spot from(x, 0), to(x * 0.5, weight);
  from.mark(3);
  from.behind(&to);
  to.behind(&from);
  if (weight < 0) to.mark(weight > 0 ? 2 : 1);
  painter.line(&from, &to, 1);
}
void give(Painter &painter, int weight) {
  std::unique_ptr<Spot> spot(new Spot(1, 2));
  spot->mark(weight & 1);
  painter.dot(std::move(spot));
  painter.all({Spot(weight / 2, 1), Spot(2, 2)});
}
}
