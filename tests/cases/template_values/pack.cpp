#include "pack.hpp"
namespace pack {
long codes(long value, long last) {
  return code<Mode::plain>(value, last) + code<Mode::zigzag>(value, last) + code<Mode::delta>(value, last);
}
}
