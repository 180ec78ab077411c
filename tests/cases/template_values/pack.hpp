#pragma once
namespace pack {
enum class Mode { plain, zigzag, delta };
template <bool fast> int emit(int length) {
  if (fast && length <= 16) return length + 1;
  if (length < 60) return length + 2;
  return length + 3;
}
template <Mode mode> long code(long value, long last) {
  if (mode == Mode::zigzag) return (value << 1) ^ (value >> 31);
  if (mode == Mode::delta) return value - last;
  return value;
}
inline int all(int length) { return emit<true>(length) + emit<false>(length); }
long codes(long value, long last);

template <int axis> class Turn {
 public:
  explicit Turn(int by) : by_(by) {}
  int step(int from) const;

 private:
  int by_;
};
}
