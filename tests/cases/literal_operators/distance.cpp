#include "distance.hpp"

namespace distance {

Way operator""_km(unsigned long long kilometres) {
  return Way(kilometres > 40075 ? -1 : static_cast<long>(kilometres) * 1000);
}

}  // namespace distance
