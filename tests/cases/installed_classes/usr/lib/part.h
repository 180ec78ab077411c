#pragma once
#ifndef LIB_ALL
#error "include <lib/all.h>"
#endif
#include <ostream>
#include <stdexcept>
#include <string>
namespace lib {
enum class Mode { slow, fast };
class Token {
 public:
  Token(int number, Mode mode) : number_(number), mode_(mode) {}
  int number() const { return number_; }
  Mode mode() const { return mode_; }
  int broken() const { throw std::runtime_error("no"); }
  void number(int n) { number_ = n; }
  void note(int n) { noted_ = n; }
  int noted(int k) const { return noted_ ^ k; }

 private:
  int number_;
  Mode mode_;
  int noted_ = 0;
};
class Text {
 public:
  static Text of(const std::string &text) { return Text(text); }
  friend std::ostream &operator<<(std::ostream &out, const Text &it) { return out << '<' << it.text_ << '>'; }
  Text with(const std::string &more) const { return Text(text_ + more); }

 private:
  explicit Text(const std::string &text) : text_(text) {}
  std::string text_;
};
template <class T, int R, int C> class Matrix {
 public:
  Matrix() : all_() {}
  int rows() const { return R; }
  int cols() const { return C; }
  void resize(int, int) {}
  T &operator()(int r, int c) { return all_[r][c]; }
  const T &operator()(int r, int c) const { return all_[r][c]; }

 private:
  T all_[R][C];
};
class Rows {
 public:
  typedef double Scalar;
  Rows() : rows_(0), cols_(0), all_(nullptr) {}
  Rows(const Rows &o) : Rows() {
    resize(o.rows_, o.cols_);
    for (int i = 0; i < rows_ * cols_; ++i) all_[i] = o.all_[i];
  }
  Rows &operator=(const Rows &) = delete;
  ~Rows() { delete[] all_; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  void resize(int r, int c) {
    delete[] all_;
    rows_ = r;
    cols_ = c;
    all_ = new double[r * c]();
  }
  double &operator()(int r, int c) { return all_[r * cols_ + c]; }
  double operator()(int r, int c) const { return all_[r * cols_ + c]; }

 private:
  int rows_, cols_;
  double *all_;
};
template <class T> class Ratio {
 public:
  typedef T value_type;
  Ratio(const T &up, const T &down) : up_(up), down_(down) {}
  T up() const { return up_; }
  T down() const { return down_; }

 private:
  T up_, down_;
};
template <class T> class Bag {
 public:
  Bag() : size_(0) {}
  void put(T it) { if (size_ < 8) all_[size_++] = it; }
  const T *begin() const { return all_; }
  const T *end() const { return all_ + size_; }

 private:
  T all_[8];
  int size_;
};
}
