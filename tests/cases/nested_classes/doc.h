#pragma once
#include <map>
#include <string>
namespace n {
template <class T> struct Plain {
  static int rank() { return sizeof(T) > 2 ? 3 : 1; }
};
template <class B> class View {
  const B *of_;
 public:
  explicit View(const B &of) : of_(&of) {}
  int twice() const { return of_->size() * 2; }
};
template <template <class...> class Map = std::map, class Number = int, template <class> class S = Plain>
class Doc {
 public:
  using number = Number;
  using object = Map<std::string, number>;
  struct Item {
    number low;
    number high;
    Item(number l, number h) : low(l), high(h) {}
    number span() const { return high - low + 1; }
  };
  explicit Doc(const object &all) : all_(all) {}
  int size() const { return static_cast<int>(all_.size()) + S<long>::rank(); }
  number put(const std::string &key, number value) {
    all_[key] = value + 1;
    return value;
  }
  int shared(const View<Doc> &with) const { return with.twice() + 4; }
  number widest(const Item &one) const { return one.span() - 2; }
 private:
  object all_;
};
}
