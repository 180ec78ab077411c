class Span {
  char text_[4] = {};
  const char *start_ = nullptr;
  const char *end_ = nullptr;
 public:
  void set(char first) {
    text_[0] = first;
    text_[2] = 'b';
    start_ = text_;
    end_ = text_ + 3;
  }
};
