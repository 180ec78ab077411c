#include <string>
struct Options { int level = 0; int two = 3; int total() const { return level + two; } };
int parse(Options &options, const std::string &text) {
  if (text == "-two") options.level = 4;
  return options.two + 2;
}
int main() {
  Options options;
  return parse(options, "");
}
