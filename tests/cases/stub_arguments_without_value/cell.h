#pragma once
namespace n {
class Cell {
 public:
  Cell() {}
  int a;
  Cell *next;
  double rest;
};
class Sink {
 public:
  virtual ~Sink() {}
  virtual void take(const Cell &cell) = 0;
  virtual void gone(Cell *cell) = 0;
};
int run(Sink &sink, int n);
int leave(Sink &sink, int n);
}
