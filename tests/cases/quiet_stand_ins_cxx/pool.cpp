#include "pool.hpp"

int pool_scaled(int value) {
  if (value > 1000000) return pool_allocate(8) ? 1 : static_cast<int>(pool_name(value).size());
  return value / 2;
}
