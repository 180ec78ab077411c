#ifndef VALUES_HPP
#define VALUES_HPP

#include <any>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace values {

struct Counter {
  std::atomic<int> tally{0};
  void add(short n);
};

std::optional<int> half(int n);
std::variant<int, std::string> either(short n);
std::any anything(int n);
std::tuple<long, std::string> both(short n);
std::chrono::milliseconds wait(short n);
std::chrono::system_clock::time_point then(short n);
std::bitset<8> bits(unsigned n);
std::complex<double> complex(double n);
std::filesystem::path place(bool other);
std::unordered_map<int, int> pairs(int n);
std::queue<int> waiting(short n);
std::weak_ptr<int> lent(short n);
std::byte byte(unsigned char n);
std::vector<std::unique_ptr<std::string>> texts(char letter);

}  // namespace values

#endif
