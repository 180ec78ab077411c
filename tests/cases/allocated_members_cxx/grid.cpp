#include "grid.hpp"
#include <cstring>
Grid::Grid(unsigned char side) : wide_(side % 5 + 1u), high_(side % 3 + 1u), name_(nullptr) {
  heights_ = new double[wide_ * high_];
  for (unsigned i = 0; i < wide_ * high_; ++i) heights_[i] = i * 0.5;
}
Grid::~Grid() {
  delete[] heights_;
  delete[] name_;
}
void Grid::raise(double by) {
  for (unsigned row = 0; row < high_; ++row) {
    for (unsigned column = 1; column < wide_; ++column) heights_[row * wide_ + column] += by;
  }
}
void Grid::call(const char *name) {
  delete[] name_;
  const std::size_t length = std::strlen(name);
  name_ = new char[length + 8];
  for (std::size_t i = 0; i < length; ++i) name_[i] = name[length - 1 - i];
  name_[length] = 0;
}
