#ifndef CODES_H
#define CODES_H

#include <string>
#include <vector>

class Label : public std::string {
 public:
  Label() = default;
  explicit Label(const std::string &text) : std::string(text) {}
  Label shown(int width) const;
};

struct Code {
  int number = 0;
  bool is_inverse() const { return number < 0; }
};

class Codes : public std::vector<Code> {
 public:
  int sum() const;
  Codes without_inverse() const;
  void twice();

 private:
  int most_ = 100;
};

// Where such a chain ends only the specialisation says.
template <int N>
struct Level : Level<N - 1> {
  int value = N;
  int raised(int by) const { return value + by; }
};
template <>
struct Level<0> {
  int value = 0;
};

#endif
