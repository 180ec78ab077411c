class Counted {
  int refs_ = 1;
  int size_;
  ~Counted() {}
 public:
  explicit Counted(short size) : size_(size) {}
  void unref() {
    if (--refs_ == 0) delete this;
  }
  int size() const { return size_; }
  int twice() const { return size_ * 2; }
};
int both(const Counted *a, short n) {
  return a->size() + n;
}
