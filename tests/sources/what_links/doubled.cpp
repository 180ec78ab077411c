#include "twice.hpp"

int doubled(int value) {
  return twice(value % 1000) + 1;
}
