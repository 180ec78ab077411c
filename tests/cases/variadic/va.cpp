#include <cstdarg>
#include <string>
std::string joined(int n, ...) {
  va_list args;
  va_start(args, n);
  std::string all;
  for (int i = 0; i < n; ++i) { all += va_arg(args, const char *); all += ','; }
  va_end(args);
  return all;
}
std::string path(const char *first, const char *second, ...) {
  va_list args;
  va_start(args, second);
  std::string all = first;
  for (const char *part = second; part; part = va_arg(args, char *)) { all += '/'; all += part; }
  va_end(args);
  return all;
}
class Adder {
 public:
  explicit Adder(int start) : start_(start) {}
  int add(int count, ...) {
    va_list args;
    va_start(args, count);
    for (int i = 0; i < count; ++i) start_ += va_arg(args, int);
    va_end(args);
    return start_;
  }
 private:
  int start_;
};
int use(Adder &a) { return a.add(2, 1, 2); }
int plain(double d, ...) { return d > 2 ? 32 : 64; }
