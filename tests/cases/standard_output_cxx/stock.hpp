#pragma once

#include <string>

namespace stock {

class Shelf {
 public:
  void put(int items) { items_ += items; }
  // Lists what is on it, and how much that is.
  int list(const std::string &owner) const;

 private:
  int items_ = 0;
};

}  // namespace stock
