template <typename T> struct Angles {
  enum Order { XYZ = 1, ZYX = 4 };
  enum class Unit { Degree, Turn };
  T x;
  explicit Angles(T v) : x(v) {}
  T in(Order o, Unit u) const {
    return o == ZYX && u == Unit::Turn ? x + 2 : x;
  }
  Order order() const { return x > 1 ? ZYX : XYZ; }
  template <typename S> T moved(const S &by);
};
template <typename T> template <typename S>
T Angles<T>::moved(const S &by) { return x + by; }
double use(Angles<double> a) { return a.in(Angles<double>::XYZ, Angles<double>::Unit::Turn) + a.moved(1.f); }
