#include "gauge.hpp"

int clamped(int value, int most);

int reading(int raw) {
  const Gauge gauge(3);
  return clamped(gauge.read(raw % 1000) + 7, gauge_limit);
}
