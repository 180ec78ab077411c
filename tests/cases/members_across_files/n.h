#pragma once
#include <string>
namespace n {
template <typename T> struct Math {
  static T twice(T v) { return v + v; }
};
template <typename T> struct Info { static bool whole() { return false; } };
template <> struct Info<int> {
  static int digits(int n) {
    return n > 9 ? 2 : 1;
  }
};
template <typename T, typename S> class Token {
  T value = T();
 public:
  Token() = default;
  explicit Token(T v) : value(v) {}
  Token &assign(const Token &other) {
    value = other.value + 1;
    return *this;
  }
};
class Base;
class Reader {
  Base *parent;
  int depth = 0;
 public:
  explicit Reader(Base *p) : parent(p) {}
  int step(int by);
  Base *owner() { return parent; }
};
class Base {
  Reader reader;
  std::string text;
 public:
  Base();
  int length() const;
  static const Base &instance();
};
}
