#include "module.hpp"

namespace sat {

double Module::remaining(double duration) const {
  return autonomy_ - duration;
}

void Module::charge(double amount) {
  if (amount < 0) {
    throw std::invalid_argument("negative charge");
  }
  autonomy_ += amount;
}

std::string Module::label() const {
  return autonomy_ > 10 ? "long \\ /* haul */" : "short";
}

}  // namespace sat
