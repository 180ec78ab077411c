#include "gauge.hpp"

Gauge::Gauge(int factor) : factor_(factor) {}

Gauge::~Gauge() = default;

int Gauge::read(int raw) const {
  return raw * factor_;
}
