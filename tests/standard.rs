//! Types of the standard library that are seldom met, as parameters, members and results.

use crate::support::{Project, all_die};

const STD_STD: &str = r#"#include "std.h"
static std::shared_ptr<int> global = std::make_shared<int>(1);
int take_vala(std::valarray<int> v, int k) { return (v.size() ? v[0] | 1 : 0) + (k ^ 1001); }
int Has_vala::look(int k) const { auto &v = v_; return (v.size() ? v[0] | 1 : 0) + (k ^ 1002); }
std::valarray<int> make_vala(int n) { n ^= 1003; return std::valarray<int>(n | 1, 3); }
int take_ec(std::error_code v, int k) { return (v ? 3 : 4) + (k ^ 1004); }
int Has_ec::look(int k) const { auto &v = v_; return (v ? 3 : 4) + (k ^ 1005); }
std::error_code make_ec(int n) { n ^= 1006; return std::error_code(n & 7, std::generic_category()); }
int take_econd(std::error_condition v, int k) { return (v ? 3 : 4) + (k ^ 1007); }
int Has_econd::look(int k) const { auto &v = v_; return (v ? 3 : 4) + (k ^ 1008); }
std::error_condition make_econd(int n) { n ^= 1009; return std::error_condition(n & 7, std::generic_category()); }
int take_tidx(std::type_index v, int k) { return (v == typeid(int) ? 3 : 4) + (k ^ 1010); }
int Has_tidx::look(int k) const { auto &v = v_; return (v == typeid(int) ? 3 : 4) + (k ^ 1011); }
std::type_index make_tidx(int n) { n ^= 1012; return std::type_index(n > 3 ? typeid(int) : typeid(long)); }
int take_eptr(std::exception_ptr v, int k) { return (v ? 3 : 4) + (k ^ 1013); }
int Has_eptr::look(int k) const { auto &v = v_; return (v ? 3 : 4) + (k ^ 1014); }
std::exception_ptr make_eptr(int n) { n ^= 1015; return n > 3 ? std::make_exception_ptr(n) : nullptr; }
int take_fut(std::future<int> v, int k) { return (v.valid() ? 3 : 4) + (k ^ 1016); }
std::future<int> make_fut(int n) { n ^= 1017; return n > 3 ? std::async(std::launch::deferred, [n] { return n; }) : std::future<int>(); }
int take_rx(std::regex v, int k) { return (static_cast<int>(v.mark_count()) + 1) + (k ^ 1018); }
int Has_rx::look(int k) const { auto &v = v_; return (static_cast<int>(v.mark_count()) + 1) + (k ^ 1019); }
std::regex make_rx(int n) { n ^= 1020; return std::regex(n > 3 ? "(a)" : "b"); }
int take_sub(std::slice v, int k) { return (static_cast<int>(v.size()) + 1) + (k ^ 1021); }
int Has_sub::look(int k) const { auto &v = v_; return (static_cast<int>(v.size()) + 1) + (k ^ 1022); }
std::slice make_sub(int n) { n ^= 1023; return std::slice(0, static_cast<unsigned>(n) & 7, 1); }
int take_fs(std::fstream &v, int k) { return (v.is_open() ? 3 : 4) + (k ^ 1024); }
int take_ti(const std::type_info &v, int k) { return (v == typeid(int) ? 3 : 4) + (k ^ 1026); }
const std::type_info & make_ti(int n) { n ^= 1027; return n > 3 ? typeid(int) : typeid(long); }
int take_ecat(const std::error_category &v, int k) { return (v == std::generic_category() ? 3 : 4) + (k ^ 1028); }
int take_lock(std::unique_lock<std::mutex> &v, int k) { return (v.owns_lock() ? 3 : 4) + (k ^ 1029); }
int take_promise(std::promise<int> &v, int k) { return ((v.set_value(3), 3)) + (k ^ 1030); }
int take_fpos(std::streampos v, int k) { return (static_cast<int>(v) | 1) + (k ^ 1031); }
int Has_fpos::look(int k) const { auto &v = v_; return (static_cast<int>(v) | 1) + (k ^ 1032); }
std::streampos make_fpos(int n) { n ^= 1033; return std::streampos(n | 1); }
"#;
const STD_STD_H: &str = r#"#pragma once
#include <any>
#include <functional>
#include <bitset>
#include <complex>
#include <valarray>
#include <string>
#include <string_view>
#include <cstddef>
#include <chrono>
#include <system_error>
#include <filesystem>
#include <locale>
#include <typeindex>
#include <typeinfo>
#include <thread>
#include <queue>
#include <map>
#include <forward_list>
#include <deque>
#include <vector>
#include <exception>
#include <optional>
#include <variant>
#include <unordered_map>
#include <unordered_set>
#include <future>
#include <regex>
#include <stack>
#include <random>
#include <tuple>
#include <atomic>
#include <memory>
#include <mutex>
#include <condition_variable>
#include <iostream>
#include <sstream>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <utility>
int take_vala(std::valarray<int> v, int k);
class Has_vala { public: explicit Has_vala(std::valarray<int> v) : v_(std::move(v)) {} int look(int k) const; private: std::valarray<int> v_; };
std::valarray<int> make_vala(int n);
int take_ec(std::error_code v, int k);
class Has_ec { public: explicit Has_ec(std::error_code v) : v_(std::move(v)) {} int look(int k) const; private: std::error_code v_; };
std::error_code make_ec(int n);
int take_econd(std::error_condition v, int k);
class Has_econd { public: explicit Has_econd(std::error_condition v) : v_(std::move(v)) {} int look(int k) const; private: std::error_condition v_; };
std::error_condition make_econd(int n);
int take_tidx(std::type_index v, int k);
class Has_tidx { public: explicit Has_tidx(std::type_index v) : v_(std::move(v)) {} int look(int k) const; private: std::type_index v_; };
std::type_index make_tidx(int n);
int take_eptr(std::exception_ptr v, int k);
class Has_eptr { public: explicit Has_eptr(std::exception_ptr v) : v_(std::move(v)) {} int look(int k) const; private: std::exception_ptr v_; };
std::exception_ptr make_eptr(int n);
int take_fut(std::future<int> v, int k);
std::future<int> make_fut(int n);
int take_rx(std::regex v, int k);
class Has_rx { public: explicit Has_rx(std::regex v) : v_(std::move(v)) {} int look(int k) const; private: std::regex v_; };
std::regex make_rx(int n);
int take_sub(std::slice v, int k);
class Has_sub { public: explicit Has_sub(std::slice v) : v_(std::move(v)) {} int look(int k) const; private: std::slice v_; };
std::slice make_sub(int n);
int take_fs(std::fstream &v, int k);
int take_ti(const std::type_info &v, int k);
const std::type_info & make_ti(int n);
int take_ecat(const std::error_category &v, int k);
int take_lock(std::unique_lock<std::mutex> &v, int k);
int take_promise(std::promise<int> &v, int k);
int take_fpos(std::streampos v, int k);
class Has_fpos { public: explicit Has_fpos(std::streampos v) : v_(std::move(v)) {} int look(int k) const; private: std::streampos v_; };
std::streampos make_fpos(int n);
"#;

#[test]
fn types_of_the_library_that_are_seldom_met_are_made_and_looked_into() {
    let project = Project::of(&[("std.cpp", STD_STD), ("std.h", STD_STD_H)]);
    let mutants = [
        ("std.mut.3.1_1_1.ICR.take_vala.cpp", "(k ^ 1001)", "(k ^ 1001 ^ 512)"),
        ("std.mut.4.1_1_1.ICR.look.cpp", "(k ^ 1002)", "(k ^ 1002 ^ 512)"),
        ("std.mut.5.1_1_1.ICR.make_vala.cpp", "n ^= 1003;", "n = 8 - n;"),
        ("std.mut.6.1_1_1.ICR.take_ec.cpp", "(k ^ 1004)", "(k ^ 1004 ^ 512)"),
        ("std.mut.7.1_1_1.ICR.look.cpp", "(k ^ 1005)", "(k ^ 1005 ^ 512)"),
        ("std.mut.8.1_1_1.ICR.make_ec.cpp", "n ^= 1006;", "n = 8 - n;"),
        ("std.mut.9.1_1_1.ICR.take_econd.cpp", "(k ^ 1007)", "(k ^ 1007 ^ 512)"),
        ("std.mut.10.1_1_1.ICR.look.cpp", "(k ^ 1008)", "(k ^ 1008 ^ 512)"),
        ("std.mut.11.1_1_1.ICR.make_econd.cpp", "n ^= 1009;", "n = 8 - n;"),
        ("std.mut.12.1_1_1.ICR.take_tidx.cpp", "(k ^ 1010)", "(k ^ 1010 ^ 512)"),
        ("std.mut.13.1_1_1.ICR.look.cpp", "(k ^ 1011)", "(k ^ 1011 ^ 512)"),
        ("std.mut.14.1_1_1.ICR.make_tidx.cpp", "n ^= 1012;", "n = 8 - n;"),
        ("std.mut.15.1_1_1.ICR.take_eptr.cpp", "(k ^ 1013)", "(k ^ 1013 ^ 512)"),
        ("std.mut.16.1_1_1.ICR.look.cpp", "(k ^ 1014)", "(k ^ 1014 ^ 512)"),
        ("std.mut.18.1_1_1.ICR.take_fut.cpp", "(k ^ 1016)", "(k ^ 1016 ^ 512)"),
        ("std.mut.20.1_1_1.ICR.take_rx.cpp", "(k ^ 1018)", "(k ^ 1018 ^ 512)"),
        ("std.mut.21.1_1_1.ICR.look.cpp", "(k ^ 1019)", "(k ^ 1019 ^ 512)"),
        ("std.mut.23.1_1_1.ICR.take_sub.cpp", "(k ^ 1021)", "(k ^ 1021 ^ 512)"),
        ("std.mut.24.1_1_1.ICR.look.cpp", "(k ^ 1022)", "(k ^ 1022 ^ 512)"),
        ("std.mut.26.1_1_1.ICR.take_fs.cpp", "(k ^ 1024)", "(k ^ 1024 ^ 512)"),
        ("std.mut.27.1_1_1.ICR.take_ti.cpp", "(k ^ 1026)", "(k ^ 1026 ^ 512)"),
        ("std.mut.28.1_1_1.ICR.make_ti.cpp", "n ^= 1027;", "n = 8 - n;"),
        ("std.mut.29.1_1_1.ICR.take_ecat.cpp", "(k ^ 1028)", "(k ^ 1028 ^ 512)"),
        ("std.mut.30.1_1_1.ICR.take_lock.cpp", "(k ^ 1029)", "(k ^ 1029 ^ 512)"),
        ("std.mut.31.1_1_1.ICR.take_promise.cpp", "(k ^ 1030)", "(k ^ 1030 ^ 512)"),
        ("std.mut.32.1_1_1.ICR.take_fpos.cpp", "(k ^ 1031)", "(k ^ 1031 ^ 512)"),
        ("std.mut.33.1_1_1.ICR.look.cpp", "(k ^ 1032)", "(k ^ 1032 ^ 512)"),
    ];
    all_die(&project, "1s", &mutants);
}
