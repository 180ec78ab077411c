#include <istream>
#include <ostream>
class Log {
  std::ostream *to_;
 public:
  explicit Log(std::ostream &to) : to_(&to) {}
  void note(int n) { *to_ << n + 1; }
};
void print(std::ostream &out, int n) {
  out << "<" << n << ">";
}
int sum(std::istream &in) {
  int n = 0, sum = 0;
  while (in >> n) sum += n;
  return sum;
}
