#include "hub.h"
#include <stdexcept>
#include <string>
int Hub::turn(int by) {
  if (by > 3) goto out;
  level_ += by;
out:
  return level_ + weigh(*this);
}
int Hub::check(int by) const {
  if (by > 100 &&
      by < 3000) throw std::runtime_error("line " + std::to_string(__LINE__));
  return weigh(*this) + by;
}
int Hub::level() const { return level_ + weigh(*this); }
