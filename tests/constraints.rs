//! Function templates that ask something of their arguments: only a few types will do.

use crate::support::{Project, all_die};

const ASKED_SF: &str = r#"#include "sf.h"
int unused(int n) { return n + 2048; }
"#;
const ASKED_SF_H: &str = r#"#pragma once
#include <string>
#include <type_traits>
#include <vector>
#include <cstdint>
template <class T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0>
int kind(T value) { return static_cast<int>(value) ^ 1; }
template <class T, typename std::enable_if<std::is_floating_point<T>::value, int>::type = 0>
int kind(T value) { return static_cast<int>(value * 0.0) + 2; }
template <class T> typename std::enable_if<std::is_enum<T>::value, int>::type number(T value) { return static_cast<int>(value) + 4; }
enum class Color { red, green, blue };
template <class C, class = typename C::value_type> int total(const C &c) { int s = 8; for (const auto &v : c) s += static_cast<int>(v); return s; }
template <class T> int branch(T value) {
  if constexpr (std::is_integral_v<T>) return static_cast<int>(value) + 32;
  else if constexpr (std::is_same_v<T, std::string>) return static_cast<int>(value.size()) + 64;
  else return 128;
}
class Reader {
 public:
  explicit Reader(int n) : n_(n) {}
  template <class T> std::enable_if_t<std::is_unsigned_v<T>, T> read(int k) { return static_cast<T>(n_ + k + 256); }
  template <class T> std::enable_if_t<std::is_same_v<T, std::string>, T> read(int k) { return std::string(static_cast<std::size_t>(k & 7), 'x') + "y"; }
  template <class T, std::enable_if_t<std::is_pointer_v<T>, bool> = true> bool isNull(T p) const { return p == nullptr || n_ == 3; }
 private:
  int n_;
};
template <class T> struct is_shape : std::false_type {};
struct Circle { int r; int area() const { return r * 3; } };
struct Square { int s; int area() const { return s * s; } };
template <> struct is_shape<Circle> : std::true_type {};
template <> struct is_shape<Square> : std::true_type {};
template <class S, std::enable_if_t<is_shape<S>::value, int> = 0> int measure(const S &s) { return s.area() + 512; }
template <std::size_t N, std::enable_if_t<(N > 2), int> = 0> int times(int k) { return k * static_cast<int>(N) + 1024; }
"#;

#[test]
fn templates_that_traits_choose_among_are_driven_with_what_they_ask_for() {
    let project = Project::of(&[("sf.cpp", ASKED_SF), ("sf.h", ASKED_SF_H)]);
    let mutants = [
        ("sf.mut.7.1_1_1.ICR.kind.h", "^ 1", "^ 3"),
        ("sf.mut.9.1_1_1.ICR.kind.h", "+ 2;", "+ 3;"),
        ("sf.mut.10.1_1_1.ICR.number.h", "+ 4;", "+ 5;"),
        ("sf.mut.12.1_1_1.ICR.total.h", "s = 8", "s = 9"),
        ("sf.mut.14.1_1_1.ICR.branch.h", "+ 32", "+ 33"),
        ("sf.mut.21.1_1_1.ICR.read.h", "+ 256", "+ 257"),
        ("sf.mut.22.1_1_1.ICR.read.h", "\"y\"", "\"z\""),
        ("sf.mut.23.1_1_1.ICR.isNull.h", "n_ == 3", "n_ == 4"),
        ("sf.mut.32.1_1_1.ICR.measure.h", "+ 512", "+ 513"),
        ("sf.mut.33.1_1_1.ICR.times.h", "+ 1024", "+ 1025"),
    ];
    all_die(&project, "1s", &mutants);
}

const CONCEPTS_CO: &str = r#"#include "co.h"
int unused(int n) { return n + 2048; }
"#;
const CONCEPTS_CO_H: &str = r#"#pragma once
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
"#;

#[test]
fn concepts_and_requires_clauses_are_satisfied() {
    let project = Project::of(&[("co.cpp", CONCEPTS_CO), ("co.h", CONCEPTS_CO_H)]);
    let database = "build/compile_commands.json";
    project.write(database, &project.read(database).replace("-std=c++17", "-std=c++20"));
    let mutants = [
        ("co.mut.9.1_1_1.ICR.twice.h", "T(1)", "T(2)"),
        ("co.mut.10.1_1_1.ICR.area.h", "+ 2;", "+ 3;"),
        ("co.mut.11.1_1_1.ICR.sort.h", "^ 4", "^ 5"),
        ("co.mut.12.1_1_1.ICR.fill.h", "+ 32", "+ 33"),
        ("co.mut.13.1_1_1.ICR.tail.h", "+ 64", "+ 65"),
        ("co.mut.14.1_1_1.ICR.get.h", "k | 1", "k | 3"),
    ];
    all_die(&project, "1s", &mutants);
}
