#include "stock.hpp"

#include <iostream>

namespace stock {

int Shelf::list(const std::string &owner) const {
  std::cout << owner << " has " << items_ * 2 << (items_ == 1 ? " thing" : " things") << std::endl;
  return items_;
}

}  // namespace stock
