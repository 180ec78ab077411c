#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
template <class... Args> int shown(const char *fmt, Args &&...args) {
  return (fmt ? 1 : 0) + static_cast<int>(sizeof...(args)) * 2;
}
struct Part {
  int a;
  std::string s;
  Part(int n, std::string t) : a(n), s(std::move(t)) {}
};
template <class T, class... Args> std::unique_ptr<T> make(Args &&...args) {
  auto made = std::unique_ptr<T>(new T(std::forward<Args>(args)...));
  made->a += 3;
  return made;
}
template <class... Ts> class Signal {
  std::vector<std::function<void(Ts...)>> slots_;
  std::tuple<Ts...> last_;

 public:
  void connect(std::function<void(Ts...)> to) { slots_.push_back(std::move(to)); }
  int emit(const Ts &...values) {
    last_ = std::tuple<Ts...>(values...);
    for (auto &slot : slots_) slot(values...);
    return static_cast<int>(slots_.size()) + 5;
  }
};
template <class T, std::size_t... Is> int total(const T &all, std::index_sequence<Is...>) {
  int sum = 0;
  int each[] = {0, (sum += std::get<Is>(all))...};
  return sum + each[0] * 7;
}
template <class... Ts> int unused(Ts... all) {
  return static_cast<int>(sizeof...(all)) + 9;
}
int use(Signal<int, std::string> &signal) {
  auto part = make<Part>(3, std::string("x"));
  std::tuple<int, int> two{1, part->a};
  return signal.emit(1, "a") + shown("x", 3, part->s) + total(two, std::make_index_sequence<2>{});
}
