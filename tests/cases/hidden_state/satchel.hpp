#pragma once
#include <string>

namespace satchel {

// Shares what it holds; only its source knows how.
class Bytes {
 public:
  typedef const char *ConstIterator;
  Bytes();
  explicit Bytes(const char *text);
  Bytes(const Bytes &other);
  Bytes &operator=(const Bytes &other);
  ~Bytes();

  Bytes &append(char next);
  Bytes doubled() const;
  unsigned size() const;
  ConstIterator begin() const;
  ConstIterator end() const;

 private:
  struct Held;
  Held *held_;
};

// Nothing but its accessors tells of it.
class Dial {
 public:
  Dial();
  Dial(const Dial &other);
  Dial &operator=(const Dial &) = delete;
  ~Dial();
  void turn(int by);
  int position() const;

 private:
  struct Gear;
  Gear *gear_;
};

// What it holds now only `isText` tells.
class Cell {
 public:
  Cell() : is_text_(false) { value_.number = 0; }
  explicit Cell(int number) : is_text_(false) { value_.number = number; }
  Cell &grow(int by);
  bool isText() const { return is_text_; }
  int asInt() const { return is_text_ ? 0 : value_.number; }

 private:
  union {
    int number;
    const char *text;
  } value_;
  bool is_text_;
};

Bytes joined(const Bytes &one, const Bytes &other);
void turnTwice(Dial &dial, int by);

}  // namespace satchel
