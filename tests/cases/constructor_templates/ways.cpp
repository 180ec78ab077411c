#include <string>
#include <utility>
#include <vector>
struct Part {
  int n;
};
class Sum {
  int n_;

 public:
  template <class T>
  explicit Sum(const T &part) : n_(part.n + 1) {}
  int get() const {
    return n_ * 2;
  }
};
template <class T> class Box {
  T held_{};

 public:
  explicit Box(T held) : held_(held) {}
  friend void trade(Box &left, Box &right) {
    left.held_ += 1;
    std::swap(left.held_, right.held_);
  }
  friend T operator+(const Box &left, T right) {
    return left.held_ + right;
  }
};
template <class N> struct Doc {
  using list_t = std::vector<N>;
  using key_t = std::string;
};
template <class J> int read(typename J::list_t &to, const typename J::key_t &key) {
  to.push_back(7);
  return int(to.size() + key.size());
}
template <int N> int length(const char (&text)[N]) {
  return text[0] + N;
}
template <class T> struct Tag;
template <> struct Tag<bool> {
  static const int value = 0;
};
template <> struct Tag<long> {
  static const int value = 1;
};
template <> struct Tag<double> {
  static const int value = 2;
};
class Flag {
  const void *where_;
  int kind_;

 public:
  template <class T>
  explicit Flag(T *where) : where_(where), kind_(Tag<T>::value) {}
  Flag(const Flag &) = delete;
  int rank() const {
    if (kind_ == 0) return 5;
    return kind_ == 2 ? 7 : 9;
  }
};
int flags(bool *on, long *size, double *share) {
  return Flag(on).rank() + Flag(size).rank() + Flag(share).rank();
}
long use(Part p, Box<long> a, Box<long> b) {
  trade(a, b);
  std::vector<long> to;
  return Sum(p).get() + (a + 2) + read<Doc<long>>(to, "k") + length("four");
}
