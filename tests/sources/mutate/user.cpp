#include "range.hpp"
int length(const Range &range) {
  return range.high - range.low;
}
