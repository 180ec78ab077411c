class Text {
  char *at_ = nullptr;
  bool owned_ = false;
  int kind_ = 0;
 public:
  ~Text() { if (owned_) delete[] at_; }
  void set(char *at, int flags) {
    at_ = at;
    owned_ = flags > 3000;
    if (flags > 500) kind_ = 2;
  }
};
