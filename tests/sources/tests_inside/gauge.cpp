#include "gauge.hpp"

#include <doctest/doctest.h>

namespace gauge {

int clamp(int value, int most) {
  return value > most ? most : value;
}

}  // namespace gauge

DOCTEST_TEST_CASE("what is less stays") {
  const int value = 3 - 1;
  DOCTEST_CHECK(gauge::clamp(value, 7) == value);
}
