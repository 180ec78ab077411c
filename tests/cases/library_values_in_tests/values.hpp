#ifndef VALUES_HPP
#define VALUES_HPP

#include <any>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

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

}  // namespace values

#endif
