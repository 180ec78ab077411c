#include "meter.hpp"

int Meter::add(int by) {
  reads_ = reads_ + 1;
  total_ = (total_ ^ by) & 0xff;
  return total_;
}
