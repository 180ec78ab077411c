struct Part { int n; };
class Box {
  Part *part_;
  const void *self_ = this;
  int sum_ = 0;
  int hidden(int by) {
    sum_ += by + 1;
    return sum_;
  }
 public:
  explicit Box(Part *part) : part_(part) {}
  ~Box() { delete part_; }
  static bool closed();
  int open(int by) { return closed() ? 0 : hidden(by); }
};
bool Box::closed() { return true; }
