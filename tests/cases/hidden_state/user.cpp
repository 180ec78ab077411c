#include "satchel.hpp"

namespace satchel {

Bytes joined(const Bytes &one, const Bytes &other) {
  Bytes all(one);
  for (unsigned i = 0; i < other.size(); ++i) all.append(other.begin()[i]);
  return all;
}

void turnTwice(Dial &dial, int by) {
  dial.turn(by);
  dial.turn(by);
}

}  // namespace satchel
