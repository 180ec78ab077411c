#pragma once
namespace n {
class Thing {
  int size_ = 1;
 public:
  Thing();
  void grow(int by);
  int twice() const;
};
}
