#pragma once
#include <string>
class Id {
  Id();
 public:
  int n;
};
class Base {
 public:
  virtual ~Base() {}
  virtual operator const Id &() const = 0;
  virtual Base &twin() const = 0;
};
class Element : public Base {
  int size;
  volatile bool busy;
 public:
  explicit Element(int n) : size(n), busy(false) {}
  int twice(int by) const;
};
class Line {
 public:
  Line(const std::string &file, unsigned line) : file(file), line(line) {}
  std::string file;
  unsigned line;
};
struct Report {
  Line at;
  int level;
};
int rank(const Report &report);
class Sub : public Line {
 public:
  using Line::Line;
  unsigned next() const;
};
