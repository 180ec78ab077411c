#pragma once
#include <string>
#include <vector>

enum class Colour { red, green, blue };

struct Point {
  int x;
  int y;
};

class Counter {
 public:
  explicit Counter(int start) : count_(start & 15) {}
  void add(unsigned char more);
  int doubled() const;
  int count() const { return count_; }

 private:
  int count_;
};

class Shape {
 public:
  virtual ~Shape() {}
  virtual int size(int a) const { return a & 7; }
};

class Square : public Shape {
 public:
  int size(int a) const override { return (a & 3) * 2; }
};

int measure(const Square &shape, int a);
int greatest(const std::vector<int> &values);
int vowels(const std::string &text);
int distance(Point a, Point b);
int warmth(Colour colour);
long long product(int a, int b);
int quarter(const short (&values)[4]);
int between(int value, int low, int high);
