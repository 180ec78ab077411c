#include "track.hpp"

static int half(const Track<Point> &of) { return of.total() / 2; }

int length(const Base &of) {
  Track<Point> other;
  other.add(4);
  const int total = of.total() + half(other);
  return total + 1;
}
