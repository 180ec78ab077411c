#include "feed.hpp"

void feed(Sink &sink, int value) {
  if (value > 3) sink.take(value + 1);
}
