class Gate {
  long sum_ = 1;
  long pass(long by) {
    return by * 3 + sum_;
  }
 public:
  static bool closed();
  long enter(int key) { return closed() ? 0 : pass(key); }
};
bool Gate::closed() { return true; }
