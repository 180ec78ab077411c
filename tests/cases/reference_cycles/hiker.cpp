#include "hiker.hpp"

namespace hiker {

void Hiker::walk(unsigned char steps) {
  diary_.note(steps);
  taken_ += steps;
}

}  // namespace hiker
