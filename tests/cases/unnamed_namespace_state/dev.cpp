#include <ctime>
namespace dev {
namespace {
int mode = 1;
void choose(int m) { mode = m & 3; }
int scale(int v) { return mode == 2 ? v * 2 : v; }
}
int both(int m, int v) {
  choose(m);
  return scale(v);
}
long at = 0;
void touch(int by) {
  at = std::time(nullptr) + by;
}
}
