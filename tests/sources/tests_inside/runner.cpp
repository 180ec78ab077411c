#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

int run_tests() {
  return doctest::Context().run();
}
