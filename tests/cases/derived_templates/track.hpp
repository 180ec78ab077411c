#pragma once
#include <vector>

struct Point {
  int x = 0;
  void clear() { x = 0; }
};

class Base {
 public:
  virtual ~Base() = default;
  virtual int total() const = 0;
};

// Its elements can be cleared.
template <class T>
class Track : public Base {
 public:
  void add(int x) {
    T one;
    one.clear();
    one.x = x % 100;
    all_.push_back(one);
  }
  int total() const override {
    int sum = 0;
    for (const T &one : all_) sum += one.x;
    return sum;
  }

 private:
  std::vector<T> all_;
};

// Nobody uses it yet.
template <class T>
class Checked : public Track<T> {
 public:
  int total() const override { return Track<T>::total() + 100; }
};

int length(const Base &of);
