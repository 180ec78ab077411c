#include <memory>
#include <string>
#include <array>
struct Token {
  const char *start_;
  const char *end_;
};
int spaces(const Token &token, const char *&current, const char *end) {
  int n = 0;
  for (const char *p = token.start_; p != token.end_; ++p) n += *p == ' ' ? 1 : 0;
  while (current != end && *current == 'x') ++current, n += 2;
  return n;
}
class Pair {
  std::unique_ptr<std::array<std::string, 2>> held_;
 public:
  void set(int n) {
    held_.reset(new std::array<std::string, 2>());
    (*held_)[1] = std::to_string(n + 1);
  }
};
