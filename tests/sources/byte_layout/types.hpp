#pragma once

#include <array>
#include <complex>
#include <functional>
#include <istream>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

enum Color { red, green, blue };
enum class Level : unsigned char { low = 3, high = 9 };

struct Point {
  short x;
  double y;
};

struct Cloud {
  Point points[3];
  Color color;
  unsigned char label[5];
  std::vector<int> weights;
};

union Word {
  int number;
  unsigned char bytes[4];
};

class Box {
 public:
  Box(float side, const std::string &name) : side_(side), name_(name) {}

 private:
  float side_;
  std::string name_;
};

class Shape {
 public:
  virtual ~Shape() = default;
  virtual int area() const = 0;
};

class Square : public Shape {
 public:
  explicit Square(int side) : side_(side) {}
  int area() const override { return side_; }

 private:
  int side_;
};

class Disc : public Shape {
 public:
  Disc(double radius, bool filled) : radius_(radius), filled_(filled) {}
  int area() const override { return filled_ && radius_ > 1; }

 private:
  double radius_;
  bool filled_;
};

class Log {
 public:
  void add(int entry) { entries_.push_back(entry); }
  void rename(const std::string &name) { name_ = name; }
  std::size_t size() const { return entries_.size(); }

 private:
  std::vector<int> entries_;
  std::string name_;
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual int take(double amount) = 0;
};
