class Pile {
  int size_ = 0;
 public:
  void grow(unsigned by) {
    for (volatile unsigned n = 0; n != by; ++n) {
      if (n == 1000) n = 0;
    }
    size_ += 1;
  }
  void fill(unsigned by) {
    for (volatile unsigned n = 0; n != by; ++n) {
      if (n == 1000) n = 0;
    }
    size_ += 2;
  }
  void add(short by) { size_ += by; }
  int level(int key) const {
    if (size_ > 2000 && key == 54321) return 1;
    return 0;
  }
};
