#pragma once
// An object that is counted: nobody destroys it, and who has a share of it gives that up.
class Sheet {
 public:
  static Sheet *make(int lines, int columns);
  Sheet *share() {
    ++owners_;
    return this;
  }
  void release() {
    if (--owners_ == 0) delete this;
  }
  int cells() const { return lines_ * columns_; }
  int owners() const { return owners_; }

 private:
  Sheet(int lines, int columns) : lines_(lines), columns_(columns), owners_(1) {}
  ~Sheet() {}
  int lines_;
  int columns_;
  int owners_;
};
int room_on(Sheet *sheet, int used);
