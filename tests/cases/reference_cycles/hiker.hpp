#ifndef HIKER_HPP
#define HIKER_HPP

#include <vector>

namespace hiker {

class Hiker;

// Where somebody has been; knows whose it is.
class Diary {
public:
  explicit Diary(const Hiker &owner) : owner_(owner) {}
  void note(int place) { places_.push_back(place); }

private:
  std::vector<int> places_;
  const Hiker &owner_;
};

class Hiker {
public:
  Hiker() : diary_(*this) {}
  void walk(unsigned char steps);

private:
  Diary diary_;
  int taken_ = 0;
};

}  // namespace hiker

#endif
