#include <string>
struct Options { int level = 0; int one = 3; int total() const { return level + one; } };
int parse(Options &options, const std::string &text) {
  if (text == "-one") options.level = 4;
  return options.one + 2;
}
int main() {
  Options options;
  return parse(options, "");
}
