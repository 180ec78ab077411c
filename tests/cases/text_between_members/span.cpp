#include <cstring>
class Span {
  char *_start = nullptr;
  char *_end = nullptr;
 public:
  ~Span() { delete[] _start; }
  void set(bool v) {
    const char *text = v ? "true" : "false";
    delete[] _start;
    _start = new char[8];
    std::strcpy(_start, text);
    _end = _start + std::strlen(text);
  }
};
class Wild {
  const char *begin = (const char *)16;
  const char *end = (const char *)32;
  int n = 0;
 public:
  void touch(int by) {
    n += by > 2;
  }
};
