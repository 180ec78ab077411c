#include "values.hpp"

namespace values {

void Counter::add(short n) {
  tally += n;
}

std::optional<int> half(int n) {
  if (n % 2 != 0) return std::nullopt;
  return n / 2;
}

std::variant<int, std::string> either(short n) {
  if (n > 5) return n + 1;
  return std::string("low");
}

std::any anything(int n) {
  if (n > 5) return std::any(n);
  return {};
}

std::tuple<long, std::string> both(short n) {
  return {n - 1, std::string(n % 4u, 'x')};
}

std::chrono::milliseconds wait(short n) {
  return std::chrono::milliseconds(n * 2);
}

std::chrono::system_clock::time_point then(short n) {
  return std::chrono::system_clock::time_point(std::chrono::seconds(n));
}

std::bitset<8> bits(unsigned n) {
  return std::bitset<8>(n + 4u);
}

std::complex<double> complex(double n) {
  return {n, n + 3.0};
}

std::filesystem::path place(bool other) {
  return other ? "/a" : "/c";
}

}  // namespace values
