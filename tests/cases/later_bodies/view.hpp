#pragma once

namespace later {

template <typename C>
struct View {
  View(const C *text, unsigned count) : text_(text), count_(count) {}
  // Nobody assigns: only what instantiates it would find that a constant is no place to write to.
  View &operator=(const View &other) {
    text_ = other.text_;
    count_ = other.count_;
    return *this;
  }
  unsigned count() const { return count_; }

  const C *text_;
  const unsigned count_;
};

inline int weight(const View<char> &view, int by) { return by > 3 ? static_cast<int>(view.count()) * 2 : by; }

}  // namespace later
