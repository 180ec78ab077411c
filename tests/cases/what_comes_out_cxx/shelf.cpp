#include "shelf.hpp"

#include <cstring>

namespace shelf {

void Label::setText(const std::string &text, bool in_capitals, int width) {
  if (width < 0) throw std::invalid_argument("width");
  text_ = text;
  for (char &letter : text_) {
    if (in_capitals && letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
}

Book longer(const Book &book, int by) {
  if (by < 0) throw std::invalid_argument("by");
  return Book(book.pages() % 1000 + by % 1000);
}

int length(const char *text, int otherwise) {
  if (!text) return otherwise;
  return static_cast<int>(std::strlen(text));
}

}  // namespace shelf
