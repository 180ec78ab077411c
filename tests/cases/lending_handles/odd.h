#pragma once
#include <memory>
#include <new>
#include <utility>
template <class T> class View {
 public:
  explicit View(T *p) : p_(p) {}
  T *operator->() const { return p_; }
  T &operator*() const { return *p_; }

 private:
  T *const p_;
};
class Clock {
 public:
  static Clock &instance();
  Clock(const Clock &) = delete;
  Clock &operator=(const Clock &) = delete;
  int after(int k) const;

 private:
  Clock() = default;
  int now_ = 4;
};
int lent(View<Clock> clock, int k);
template <class T> class Maybe {
 public:
  Maybe() = default;
  explicit Maybe(const T &t) : has_(true) { new (room_) T(t); }
  T *operator->() const { return at(); }
  T &operator*() const { return *at(); }
  explicit operator bool() const { return has_; }

 private:
  T *at() const { return reinterpret_cast<T *>(const_cast<unsigned char *>(room_)); }
  alignas(T) unsigned char room_[sizeof(T)];
  bool has_ = false;
};
class Point {
 public:
  static Maybe<Point> parse(int n);
  int scaled(int k) const;

 private:
  explicit Point(int n) : n_(n) {}
  int n_;
};
class Wheel {
 public:
  int turned(int k) const;

 private:
  friend class Cart;
  explicit Wheel(int n) : n_(n) {}
  int n_;
};
class Kept {
 public:
  explicit Kept(Wheel *wheel) : wheel_(wheel) {}
  Kept(Kept &&) = default;
  Wheel *operator->() const { return wheel_.get(); }
  Wheel &operator*() const { return *wheel_; }

 private:
  std::unique_ptr<Wheel> wheel_;
};
class Cart {
 public:
  explicit Cart(int n) : wheel_(new Wheel(n)) {}
  const Kept &wheel() const { return wheel_; }

 private:
  Kept wheel_;
};
int asked(const View<Point> &point, const std::shared_ptr<int> &offset);
