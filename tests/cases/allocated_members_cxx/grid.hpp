#pragma once
// A map of heights: how many there are is nowhere said but in the allocation.
class Grid {
 public:
  explicit Grid(unsigned char side);
  Grid(const Grid &) = delete;
  ~Grid();
  void raise(double by);
  void call(const char *name);

 private:
  unsigned wide_, high_;
  double *heights_;
  char *name_;
};
