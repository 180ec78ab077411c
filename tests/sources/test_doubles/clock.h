#pragma once
class Clock {
 public:
  explicit Clock(int base) : base_(base) {}
  long now() const;

 private:
  int base_;
};
int board_temperature(int channel);
