class Big {
  unsigned digits_[16];
  int used_;
  bool sign_;
 public:
  Big() : used_(0) {}
  void push(unsigned digit) {
    if (used_ == 16) used_ = 15;
    digits_[used_++] = digit * 3;
  }
  unsigned sum() const {
    unsigned n = 0;
    for (int i = 0; i < used_; ++i) n += digits_[i] + 1;
    return n;
  }
};
