#include "gauge.hpp"

int shown(int value) {
  return gauge::clamp(value, 100);
}
