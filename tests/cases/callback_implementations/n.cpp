#include <functional>
namespace n {
int each(const std::function<bool(int)> &keep, int n) {
  return keep(n) ? n : n + 1;
}
long raw(long (*f)(const char *), long n) {
  return f("a") + n;
}
}
