#include "codes.h"

Label Label::shown(int width) const {
  std::string text = *this;
  if (width > 3 && width < 40) text.resize(static_cast<std::size_t>(width), '.');
  return Label("(" + text + ")");
}

int Codes::sum() const {
  int total = 0;
  for (const Code &code : *this) {
    if (code.number < most_) total += code.number;
  }
  return total;
}

Codes Codes::without_inverse() const {
  Codes kept;
  for (const Code &code : *this) {
    if (!code.is_inverse()) kept.push_back(code);
  }
  return kept;
}

void Codes::twice() {
  for (Code &code : *this) code.number = static_cast<int>(code.number * 2u);
}

int height(int by) { return Level<3>().raised(by); }
