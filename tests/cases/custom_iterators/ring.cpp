#include "ring.h"
namespace n {
bool Ring::iterator::operator==(const iterator &other) const {
  return ring == other.ring && at == other.at;
}
long Ring::iterator::operator-(const iterator &other) const {
  return static_cast<long>(at) - static_cast<long>(other.at);
}
int sum(Ring::iterator first, Ring::iterator last) {
  int all = 0;
  for (; first != last; ++first) all += *first & 0xff;
  return all;
}
int halved(Ring::iterator it) {
  *it = *it / 2;
  return 1;
}
double most(List<double>::const_iterator from, List<double>::const_iterator to) {
  double best = 0;
  for (; !(from == to); ++from) {
    if (*from > best) best = *from;
  }
  return best;
}
int use(Ring &ring) { return even(ring.begin(), ring.end()); }
}
