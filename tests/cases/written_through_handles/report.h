#pragma once

#include <iterator>

namespace report {

// Text that grows, kept without a container of the standard library.
class Text {
 public:
  using value_type = char;

  void push_back(char letter) {
    if (size_ < sizeof letters_) letters_[size_++] = letter;
  }
  unsigned size() const { return size_; }
  char at(unsigned place) const { return place < size_ ? letters_[place] : '\0'; }

 private:
  char letters_[32] = {};
  unsigned size_ = 0;
};

// Appends to a text. It is passed by value.
class Appender : public std::back_insert_iterator<Text> {
 public:
  Appender(std::back_insert_iterator<Text> to) : std::back_insert_iterator<Text>(to) {}
};

void number(Appender out, short value);

}  // namespace report
