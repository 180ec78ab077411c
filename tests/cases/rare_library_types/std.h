#pragma once
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
class Has_vala { public: explicit Has_vala(std::valarray<int> v) : v_(std::move(v)) {} int look(int k) const;
  private: std::valarray<int> v_; };
std::valarray<int> make_vala(int n);
int take_ec(std::error_code v, int k);
class Has_ec { public: explicit Has_ec(std::error_code v) : v_(std::move(v)) {} int look(int k) const;
  private: std::error_code v_; };
std::error_code make_ec(int n);
int take_econd(std::error_condition v, int k);
class Has_econd { public: explicit Has_econd(std::error_condition v) : v_(std::move(v)) {}
  int look(int k) const; private: std::error_condition v_; };
std::error_condition make_econd(int n);
int take_tidx(std::type_index v, int k);
class Has_tidx { public: explicit Has_tidx(std::type_index v) : v_(std::move(v)) {} int look(int k) const;
  private: std::type_index v_; };
std::type_index make_tidx(int n);
int take_eptr(std::exception_ptr v, int k);
class Has_eptr { public: explicit Has_eptr(std::exception_ptr v) : v_(std::move(v)) {} int look(int k) const;
  private: std::exception_ptr v_; };
std::exception_ptr make_eptr(int n);
int take_fut(std::future<int> v, int k);
std::future<int> make_fut(int n);
int take_rx(std::regex v, int k);
class Has_rx { public: explicit Has_rx(std::regex v) : v_(std::move(v)) {} int look(int k) const;
  private: std::regex v_; };
std::regex make_rx(int n);
int take_sub(std::slice v, int k);
class Has_sub { public: explicit Has_sub(std::slice v) : v_(std::move(v)) {} int look(int k) const;
  private: std::slice v_; };
std::slice make_sub(int n);
int take_fs(std::fstream &v, int k);
int take_ti(const std::type_info &v, int k);
const std::type_info & make_ti(int n);
int take_ecat(const std::error_category &v, int k);
int take_lock(std::unique_lock<std::mutex> &v, int k);
int take_promise(std::promise<int> &v, int k);
int take_fpos(std::streampos v, int k);
class Has_fpos { public: explicit Has_fpos(std::streampos v) : v_(std::move(v)) {} int look(int k) const;
  private: std::streampos v_; };
std::streampos make_fpos(int n);
