#include <cstdarg>
#include <cstdio>
#include <stdexcept>
#include <string>
class Printer {
  int calls_ = 0;

 public:
  int print(const char *format, va_list args) {
    char to[512];
    calls_ += 2;
    return vsnprintf(to, sizeof to, format, args) + 1;
  }
  int log(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const int n = print(fmt, args) * 2;
    va_end(args);
    return n + calls_;
  }
};
int measured(int least, const char *format, va_list args) {
  char to[512];
  const int n = vsnprintf(to, sizeof to, format, args);
  return n < least ? least : n + 3;
}
std::string say(int level, const char *msg, ...) {
  char to[512];
  va_list args;
  va_start(args, msg);
  vsnprintf(to, sizeof to, msg, args);
  va_end(args);
  return level > 3 ? std::string(to) + "!" : to;
}
template <class... Args> int width(const char *format, Args... args) {
  char to[512];
  return snprintf(to, sizeof to, format, args...) + 4;
}
int use() { return width("%d %s", 1, "a"); }
