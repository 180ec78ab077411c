//! Function templates that ask something of their arguments: only a few types will do.

use crate::support::{Project, all_die};

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
