#include <stdexcept>
template <typename It> class Walk {
  It at_, begin_, end_;
 public:
  Walk(const It &walk_it, const It &range_start, const It &range_end)
      : at_(walk_it), begin_(range_start), end_(range_end) {
    if (at_ < begin_ || at_ > end_) throw std::out_of_range("outside");
  }
  int left() const {
    return static_cast<int>(end_ - at_) + 2;
  }
};
int use(const char *s) { return Walk<const char *>(s, s, s).left(); }
