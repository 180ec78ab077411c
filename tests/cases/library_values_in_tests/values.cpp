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

std::unordered_map<int, int> pairs(int n) {
  return {{1, 2}, {n, 5}};
}

std::queue<int> waiting(short n) {
  std::queue<int> all;
  all.push(n + 8);
  all.push(7);
  return all;
}

std::weak_ptr<int> lent(short n) {
  static std::shared_ptr<int> owner;
  owner = std::make_shared<int>(n + 6);
  return owner;
}

std::byte byte(unsigned char n) {
  return std::byte(n);
}

std::vector<std::unique_ptr<std::string>> texts(char letter) {
  std::vector<std::unique_ptr<std::string>> all;
  all.emplace_back(new std::string(1, letter));
  return all;
}

}  // namespace values
