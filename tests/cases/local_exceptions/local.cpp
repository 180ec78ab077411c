#include <stdexcept>
#include <string>
int checked(int n) {
  class Bad : public std::runtime_error {
   public:
    explicit Bad(int by) : std::runtime_error("bad " + std::to_string(by)) {}
  };
  if (n > 2) throw Bad(n + 3);
  return n;
}
namespace {
struct Stop {
  int at;
};
}  // namespace
int stopped(int n) {
  if (n > 100) throw Stop{n};
  return n * 2;
}
