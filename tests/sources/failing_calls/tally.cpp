#include "tally.hpp"

#include <new>

namespace tally {

int HeapRoom::take(unsigned size) {
  int *const first = new int(1);
  delete first;
  delete[] new char[size % 64 + 1];
  return 1;
}

int widen(std::vector<int> &counts, int with) {
  try {
    counts.resize(counts.capacity() + 1, with);
  } catch (const std::bad_alloc &) {
    return -1;
  }
  return 0;
}

int ask(Room &room, unsigned size) {
  try {
    return room.take(size);
  } catch (const std::bad_alloc &) {
    return 9;
  }
}

}  // namespace tally
