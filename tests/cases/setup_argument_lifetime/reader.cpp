class Reader {
  const char *at_ = nullptr;
  const char *end_ = nullptr;
  const double *scale_ = nullptr;
 public:
  void open(const char *begin, const char *end) {
    at_ = begin;
    end_ = end;
  }
  void scale(const double *by) { scale_ = by; }
  double left() const {
    double n = 0;
    for (const char *p = at_; p != end_; ++p) n += *p == 'x' ? 2 : 1;
    return scale_ ? n * *scale_ : n;
  }
};
