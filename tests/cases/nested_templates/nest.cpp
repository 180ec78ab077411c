#include <functional>
#include <vector>
struct Value {
  int at;
  explicit Value(int n) : at(n) {}
};
template <class T> struct Inner {
  int of(const T &t) const {
    return t.at + 3;
  }
};
template <class T> struct Outer {
  int run(const T &t) {
    Inner<T> inner;
    return inner.of(t);
  }
template <class U, int N> struct Cell {
    T t;
    U u[N];
    U sum(T more) {
      return u[0] + more * t;
    }
  };
};
template <class T> struct Cut {
  int one() { return 1; }
};
template <class T> struct Cut<T *> {
  T held{};
  T left(T by) {
    return held + by * 2;
  }
};
template <class F> int each(int n, F &&visit) {
  int sum = 0;
  for (int i = 0; i < n % 5; ++i) sum += visit(i);
  return sum + 4;
}
int use(Value v, Outer<short>::Cell<long, 3> cell, Cut<short *> cut) {
  Outer<Value> outer;
  int seen = int(cell.sum(1)) + cut.left(2);
  return outer.run(v) + each(3, [&](int i) { return i + seen; });
}
