#pragma once
#include <memory>
#include <vector>
class Shape {
 public:
  explicit Shape(int id) : id_(id) {}
  virtual ~Shape() = default;
  virtual int area() const = 0;

 protected:
  int id_;
};
class Named {
 public:
  explicit Named(int name) : name_(name) {}
  virtual ~Named() = default;

 protected:
  int name_;
};
class Round : public Shape {
 public:
  Round(int id, int radius) : Shape(id), radius_(radius) {}

 protected:
  int radius_;
};
class Circle : public Round, public Named {
 public:
  Circle(int radius, int name) : Round(1, radius), Named(name) {}
  int area() const override { return 7; }
};
class Square : public virtual Shape {
 public:
  explicit Square(int side) : Shape(2), side_(side) {}
  int area() const override { return 7; }

 private:
  int side_;
};
class Left : public Round {
 public:
  Left() : Round(3, 3) {}
  int area() const override { return 7; }
};
class Right : public Round {
 public:
  Right() : Round(4, 4) {}
  int area() const override { return 7; }
};
class Twice : public Left, public Right {};
std::unique_ptr<Shape> circle(int n);
std::vector<std::shared_ptr<Shape>> squares(int n);
void fill(int n, std::unique_ptr<Shape> &out);
Left *twice(int n);
