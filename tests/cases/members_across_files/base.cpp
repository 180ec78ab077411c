#include "n.h"
#include <cassert>
#include <vector>
using namespace std;
namespace n {
Base::Base() : reader(this) {}
int Base::length() const {
  vector<int> v(text.size());
  assert(v.size() < 1000);
  return static_cast<int>(v.size());
}
const Base &Base::instance() {
  static const Base only;
  return only;
}
}
