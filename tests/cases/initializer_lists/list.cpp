#include <initializer_list>
#include <string>
#include <utility>
int longest(std::initializer_list<std::string> all) {
  int most = 0;
  for (const std::string &one : all) most = one.size() > 2 ? 9 : most;
  return most;
}
class Sum {
  long n_ = 0;
 public:
  Sum(std::initializer_list<std::pair<int, long>> all) {
    for (const auto &one : all) n_ += one.second + 1;
  }
  long n() const { return n_ * 3; }
};
