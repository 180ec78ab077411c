#include <iterator>
#include <string>
#include <type_traits>
template <typename It> typename std::iterator_traits<It>::difference_type
far(It first, It last) {
  return last - first + 3;
}
template <typename T> typename std::enable_if<std::is_integral<T>::value, T>::type half(T n) {
  return n / 2;
}
template <typename It> class Within {
  It at_;
 public:
  Within(const It &at, const It &end) : at_(at == end ? end : at) {}
  int first() const { return 5; }
};
long use(const std::string &s) { return far(s.begin(), s.end()) + half(7L); }
