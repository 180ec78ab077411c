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

enum Level { low, high };

class Carrier {
 public:
  virtual ~Carrier() = default;
  virtual int weight(int by) const = 0;
};

// Nobody names it with an argument.
template <Level level = high>
class Barrel : public Carrier {
 public:
  int weight(int by) const override { return level == low ? by : by * 2; }
};

// Its parameter is called as a template's parameter is in drivers.
class Manifest {
 public:
  explicit Manifest(Carrier &T);
  int total() const { return total_; }

 private:
  int total_;
};

// With a pointer to such a character it is another class, which carries nothing.
template <typename OutputIt, typename Char>
class Sink : public Carrier {
 public:
  int weight(int by) const override { return by + static_cast<int>(last_); }

 private:
  OutputIt out_{};
  Char last_{};
};
template <typename Char>
class Sink<Char *, Char> {
  Char *out_ = nullptr;
};

template <class T>
struct Cache;
template <>
struct Cache<short> {
  struct Slot {
    int at;
    bool is_free;
  };
  static Slot slot(int at);
};
}
