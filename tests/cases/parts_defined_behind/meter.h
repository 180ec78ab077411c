#pragma once

class Meter {
 public:
  Meter();
  Meter(const Meter &other);
  Meter &operator=(const Meter &) = delete;
  ~Meter();
  void count(int steps);
  int read() const;

 private:
  struct Inner;
  class Range;
  Inner *inner_;
};
