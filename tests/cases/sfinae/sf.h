#pragma once
#include <string>
#include <type_traits>
#include <vector>
#include <cstdint>
template <class T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0>
int kind(T value) { return static_cast<int>(value) ^ 1; }
template <class T, typename std::enable_if<std::is_floating_point<T>::value, int>::type = 0>
int kind(T value) { return static_cast<int>(value * 0.0) + 2; }
template <class T> typename std::enable_if<std::is_enum<T>::value, int>::type number(T value) {
  return static_cast<int>(value) + 4; }
enum class Color { red, green, blue };
template <class C, class = typename C::value_type> int total(const C &c) { int s = 8;
  for (const auto &v : c) s += static_cast<int>(v); return s; }
template <class T> int branch(T value) {
  if constexpr (std::is_integral_v<T>) return static_cast<int>(value) + 32;
  else if constexpr (std::is_same_v<T, std::string>) return static_cast<int>(value.size()) + 64;
  else return 128;
}
class Reader {
 public:
  explicit Reader(int n) : n_(n) {}
  template <class T> std::enable_if_t<std::is_unsigned_v<T>, T> read(int k) { return static_cast<T>(n_ + k + 256); }
  template <class T> std::enable_if_t<std::is_same_v<T, std::string>, T> read(int k) {
    return std::string(static_cast<std::size_t>(k & 7), 'x') + "y"; }
  template <class T, std::enable_if_t<std::is_pointer_v<T>, bool> = true> bool isNull(T p) const {
    return p == nullptr || n_ == 3; }
 private:
  int n_;
};
template <class T> struct is_shape : std::false_type {};
struct Circle { int r; int area() const { return r * 3; } };
struct Square { int s; int area() const { return s * s; } };
template <> struct is_shape<Circle> : std::true_type {};
template <> struct is_shape<Square> : std::true_type {};
template <class S, std::enable_if_t<is_shape<S>::value, int> = 0> int measure(const S &s) { return s.area() + 512; }
template <std::size_t N, std::enable_if_t<(N > 2), int> = 0> int times(int k) {
  return k * static_cast<int>(N) + 1024; }
