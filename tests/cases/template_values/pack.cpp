#include "pack.hpp"
namespace pack {
long codes(long value, long last) {
  return code<Mode::plain>(value, last) + code<Mode::zigzag>(value, last) + code<Mode::delta>(value, last);
}
template <int axis> int Turn<axis>::step(int from) const {
  if (axis == 0) return from + by_;
  if (axis == 1) return from - by_;
  return from * 2 + by_;
}
template class Turn<0>;
template class Turn<1>;
template class Turn<2>;

Manifest::Manifest(Carrier &T) : total_(T.weight(5) + 1) {}

Cache<short>::Slot Cache<short>::slot(int at) { return {at > 5 ? at : 5, at > 7}; }
}
