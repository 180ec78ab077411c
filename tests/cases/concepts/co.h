#pragma once
#include <concepts>
#include <string>
#include <vector>
template <class T> concept Number = std::integral<T> || std::floating_point<T>;
template <class T> concept HasArea = requires(const T &t) { { t.area() } -> std::convertible_to<int>; };
template <class T> concept Container = requires(T t) { typename T::value_type; t.begin(); t.push_back(typename T::value_type{}); };
struct Circle { int r; int area() const { return r * 3; } };
template <Number T> T twice(T t) { return t + t + T(1); }
template <class S> requires HasArea<S> int area(const S &s) { return s.area() + 2; }
template <std::integral T> int sort(T t) { return static_cast<int>(t) ^ 4; }
template <Container C> int fill(C &c, int n) { for (int i = 0; i < (n & 3); ++i) c.push_back(typename C::value_type{}); return n + 32; }
template <class T> int tail(T t) requires std::same_as<T, std::string> { return static_cast<int>(t.size()) + 64; }
template <class T> requires std::integral<T> class Box { public: explicit Box(T t) : t_(t) {} T get(T k) const { return static_cast<T>(t_ + (k | 1)); } private: T t_; };
