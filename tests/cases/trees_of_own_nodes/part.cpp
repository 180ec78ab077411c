#include "part.hpp"
int Part::size(const std::string &side) const {
  const auto found = sizes_.find(side);
  return found == sizes_.end() ? 0 : found->second;
}
int width_of_parts(const Part &box) {
  int sum = 0;
  for (const Part &part : box.parts())
    if (part.size("width") > 0) sum += part.size("width") + 3;
  return sum;
}
