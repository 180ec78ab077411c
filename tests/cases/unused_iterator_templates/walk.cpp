template <typename Iterator> long length(Iterator first, Iterator last) {
  long n = 1;
  for (; first != last; ++first) ++n;
  return n;
}
template <typename Iterator> class Walk {
  Iterator at_;
 public:
  explicit Walk(Iterator at) : at_(at) {}
  int value() const { return *at_ + 1; }
};
