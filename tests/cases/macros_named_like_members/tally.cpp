#include "tally.hpp"

namespace tally {

#define count rows[at].count

void Tally::add(unsigned char row) {
  at = row % 3;
  ++count;
}

void Tally::clear(unsigned char row) {
  at = row % 3;
  count = 0;
}

}  // namespace tally
