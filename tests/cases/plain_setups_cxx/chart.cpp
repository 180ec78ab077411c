#include "chart.hpp"

namespace chart {

double Chart::widest() const {
  double most = -1;
  for (const Mark &mark : marks_) {
    if (mark.size() > most) most = mark.size();
  }
  return most;
}

void Chart::paint(Painter &painter) const {
  painter.fill(static_cast<int>(marks_.size()) + (framed_ ? 9 : 7));
}

}  // namespace chart
