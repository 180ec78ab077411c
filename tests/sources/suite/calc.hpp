#pragma once
#include <string>
#include <vector>

template <class T> T twice(T value) {
  T sum = value;
  if (value > T())
    sum += value;
  return sum;
}
inline int clamp(int value) { return value < 0 ? 0 : value; }
struct Box {
  Box(int width, const std::string &name) : width_(width + 1), name_(name + "!") {}
  int width_;
  std::string name_;
};
constexpr int square(int value) { return value * value; }
int line_of_it();
int loops(int);
int jumps(int);
int crash(bool);
int nobody(int);
int chooses(int);
int lambdas(int);
int counted();
std::size_t macros(const std::vector<int> &);
int spins(int);
int duff(int);
int carriage(int);

extern "C" int plain(int a, int b);
