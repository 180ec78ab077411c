#include <regex>
#include <string>
#include <sys/time.h>
class Timer {
  timeval start_;
 public:
  explicit Timer(const timeval &s) : start_(s) {}
  long since(const timeval &now) const {
    return (now.tv_sec - start_.tv_sec) * 3;
  }
};
int words(const std::regex &r, const std::string &s) {
  return std::regex_match(s, r) ? 2 : 1;
}
long use(const Timer &t, const timeval &v) { return t.since(v); }
