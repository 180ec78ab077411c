#pragma once
// Templates that are only declared: all that there is of them are partial specialisations.
enum precision { high, low };

template <int N, typename T, precision P>
struct row;

template <typename T, precision P>
struct row<2, T, P> {
  T x, y;
  row() : x(0), y(0) {}
  row(T x, T y) : x(x), y(y) {}
  T longer() const { return x > y ? x : y; }
  row &operator+=(const row<2, T, P> &other) {
    x += other.x;
    y -= other.y;
    return *this;
  }
};

template <typename T, precision P>
struct row<3, T, P> {
  T x, y, z;
  row(T x, T y, T z) : x(x), y(y), z(z) {}
  T sum() const { return x + y + z; }
};

template <int C, int R, typename T, precision P>
struct grid;

template <typename T, precision P>
struct grid<2, 2, T, P> {
  row<2, T, P> value[2];
  grid() {}
  grid(T a, T b, T c, T d) {
    value[0] = row<2, T, P>(a, b);
    value[1] = row<2, T, P>(c, d);
  }
};

template <typename T, precision P>
T determinant(const grid<2, 2, T, P> &m) {
  return m.value[0].x * m.value[1].y - m.value[1].x * m.value[0].y;
}

template <typename T, precision P>
T weighed(const row<3, T, P> &v) {
  return v.x + v.y * 2 + v.z * 3;
}

// A signature as the only argument.
template <typename Signature>
class task;

template <typename R, typename... Arguments>
class task<R(Arguments...)> {
 public:
  explicit task(R (*function)(Arguments...)) : function_(function) {}
  R run(Arguments... arguments) { return function_(arguments...) + 1; }

 private:
  R (*function_)(Arguments...);
};

// A default that is named from where it stands, and members that share one place.
namespace sat {
enum quality { coarse, fine, usual = fine };

template <int N, typename T, quality Q = usual>
struct point;

template <typename T, quality Q>
struct point<2, T, Q> {
  union {
    T x, r;
  };
  union {
    T y, g;
  };
  point(T x, T y) : x(x), y(y) {}
};

typedef point<2, float> point2;

inline point2 mirrored(const point2 &of) {
  return point2(of.y, -of.r);
}
}  // namespace sat
