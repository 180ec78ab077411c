class Rule;
class Box {
  int n_;
  const Rule &rule_;
 public:
  Box(int n, const Rule &rule) : n_(n), rule_(rule) {}
  int &at() { return n_; }
  int at() const { return n_ + 1; }
  int operator[](int i) { return i; }
  int operator[](int i) const { return i - n_; }
};
const Rule &usual();
