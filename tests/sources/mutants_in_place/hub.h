#pragma once
class Hub {
 public:
  int turn(int by);
  int check(int by) const;
  int level() const;

 private:
  int level_ = 0;
};
int weigh(const Hub &hub);
