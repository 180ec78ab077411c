#pragma once
#include <vector>
namespace tally {
struct Room {
  virtual ~Room() = default;
  virtual int take(unsigned size) = 0;
};
struct HeapRoom : Room {
  int take(unsigned size) override;
};
int widen(std::vector<int> &counts, int with);
int ask(Room &room, unsigned size);
}  // namespace tally
