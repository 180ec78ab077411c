#pragma once
class Odd {
 public:
  explicit Odd(int n);
  int filled(int at);
  int stepped(int by) const;
  int n_;
};
int weigh(const Odd &odd);
