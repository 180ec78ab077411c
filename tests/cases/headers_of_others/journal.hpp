#pragma once

class Journal {
 public:
  void note(int value) { last_ = value; }
  int last() const { return last_; }

 private:
  int last_ = 0;
};
