#pragma once
#include <cstddef>

namespace cursor {

// Writes into memory of others.
class Pen {
 public:
  Pen(char *data, std::size_t room) : data_(data), end_(data + room), at_(data) {}
  void skip(unsigned by);

 private:
  char *data_;
  char *end_;
  char *at_;
};

}  // namespace cursor
