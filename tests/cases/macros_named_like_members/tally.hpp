#ifndef TALLY_HPP
#define TALLY_HPP

namespace tally {

struct Row {
  int count = 0;
};

struct Tally {
  Row rows[3];
  unsigned at = 0;

  void add(unsigned char row);
  void clear(unsigned char row);
};

}  // namespace tally

#endif
