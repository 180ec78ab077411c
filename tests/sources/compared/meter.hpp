#pragma once

class Meter {
 public:
  explicit Meter(int total) : total_(total) {}
  int add(int by);

 private:
  int total_;
  int reads_ = 0;
};
