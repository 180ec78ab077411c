#pragma once

#ifdef WANT_BOX
class BOX_NAME {
  Length width_;
  int height_;

 public:
  BOX_NAME(int width, int height) : width_{width}, height_(height) {}
  int area() const;
  int grow(int by);
};
#endif
