#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace shelf {

class Label {
public:
  static const char *kind() { return "label"; }
  void setText(const std::string &text, bool in_capitals = false, int width = 0);
  const std::string &text() const { return text_; }

private:
  std::string text_;
};

class Book {
public:
  explicit Book(int pages) : pages_(pages) {}
  int pages() const { return pages_; }

private:
  int pages_;
};

// The book with so many pages more; not fewer than none.
Book longer(const Book &book, int by);

// How long a text is, where there is one.
int length(const char *text, int otherwise);

}  // namespace shelf
