class Log {
  const char *name_;
 public:
  explicit Log(const char *name = nullptr) : name_(name) {}
  int length(const int *more) const {
    int n = 1;
    if (name_ == nullptr) n = 4;
    if (!more) return n + 2;
    return n + *more;
  }
};
