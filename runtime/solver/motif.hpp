// motif.hpp for a bounded model checker: the same interface, as plain as can be, since all of it is reasoned about.
// What is not here does not compile, and then nothing is decided.
#ifndef MOTIF_HPP
#define MOTIF_HPP

#include "motif.h"

#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "motif_solver.h"

namespace MOTIF {

class Input;
class Record;

template <class T>
void observe(Record &record, const T &value);

namespace detail {

template <int N>
struct rank : rank<N - 1> {
  rank() {}
};
template <>
struct rank<0> {
  rank() {}
};

template <bool Holds, class T = void>
struct only_if {};
template <class T>
struct only_if<true, T> {
  typedef T type;
};
template <class...>
struct always {
  typedef void type;
};

template <class T>
T &&any();

template <class T>
struct is_number {
  static constexpr bool value = false;
};
template <class T>
struct kind_of {
  static constexpr motif_kind value = MOTIF_INT32;
};
#define MOTIF_NUMBER(type)                \
  template <>                             \
  struct is_number<type> {                \
    static constexpr bool value = true;   \
  };
MOTIF_NUMBER(bool)
MOTIF_NUMBER(char)
MOTIF_NUMBER(signed char)
MOTIF_NUMBER(unsigned char)
MOTIF_NUMBER(short)
MOTIF_NUMBER(unsigned short)
MOTIF_NUMBER(int)
MOTIF_NUMBER(unsigned)
MOTIF_NUMBER(long)
MOTIF_NUMBER(unsigned long)
MOTIF_NUMBER(long long)
MOTIF_NUMBER(unsigned long long)
MOTIF_NUMBER(float)
MOTIF_NUMBER(double)
#undef MOTIF_NUMBER
template <>
struct kind_of<bool> {
  static constexpr motif_kind value = MOTIF_BOOL;
};
template <>
struct kind_of<float> {
  static constexpr motif_kind value = MOTIF_FLOAT;
};
template <>
struct kind_of<double> {
  static constexpr motif_kind value = MOTIF_DOUBLE;
};

template <class T>
T take(Input &in);

}  // namespace detail

// ---- the input ------------------------------------------------------------------------------------------

class Input {
 public:
  explicit Input(motif_input *raw) : raw_(raw) {}

  template <class T>
  T take() {
    return detail::take<T>(*this);
  }
  std::size_t size(std::size_t least, std::size_t most) { return motif_take_size(raw_, least, most); }
  std::size_t calls(std::size_t usual) { return motif_take_calls(raw_, usual); }
  long long size_or_less(std::size_t most) { return motif_take_size_or_less(raw_, most); }
  template <class T>
  T length(std::size_t most) {
    return static_cast<T>(motif_take_length(raw_, most, detail::kind_of<T>::value, sizeof(T)));
  }
  std::size_t pick(std::size_t choices) { return motif_take_pick(raw_, choices); }
  std::size_t way(std::size_t ways) { return motif_take_way(raw_, ways); }
  template <class E>
  E enumerator(std::initializer_list<E> values) {
    long long numbers[256];
    std::size_t count = 0;
    for (const E *at = values.begin(); at != values.end(); ++at) numbers[count++] = static_cast<long long>(*at);
    return static_cast<E>(motif_take_enum(raw_, numbers, count));
  }
  template <class E, std::size_t N>
  E take_enum(const E (&values)[N]) {
    long long numbers[N];
    for (std::size_t i = 0; i < N; ++i) numbers[i] = static_cast<long long>(values[i]);
    return static_cast<E>(motif_take_enum(raw_, numbers, N));
  }
  char *cstring(std::size_t most) { return motif_take_cstring(raw_, most); }
  template <class String>
  String text(std::size_t most) {
    String value;
    const std::size_t length = size(0, most);
    for (std::size_t i = 0; i < length; ++i) value.push_back(take<char>());
    return value;
  }
  template <class T>
  void array(T *to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = take<T>();
  }
  template <class T>
  T *allocate(std::size_t count) {
    return static_cast<T *>(motif_allocate(raw_, count * sizeof(T)));
  }
  motif_input *raw() const { return raw_; }

 private:
  motif_input *raw_;
};

// ---- the record -----------------------------------------------------------------------------------------

class Record {
 public:
  explicit Record(motif_record *raw) : raw_(raw) {}

  template <class T>
  void output(const char *name, const T &value) {
    motif_open(raw_, name, MOTIF_OUTPUT);
    MOTIF::observe(*this, value);
  }
  template <class T>
  void state(const char *name, const T &value) {
    motif_open(raw_, name, MOTIF_STATE);
    MOTIF::observe(*this, value);
  }
  template <class T>
  void output_array(const char *name, const T *values, std::size_t count) {
    motif_open(raw_, name, MOTIF_OUTPUT);
    elements(values, count);
  }
  template <class T>
  void state_array(const char *name, const T *values, std::size_t count) {
    motif_open(raw_, name, MOTIF_STATE);
    elements(values, count);
  }
  void skip(const char *name, motif_part part, const char *) { motif_open(raw_, name, part); }
  template <class T>
  void member(const char *, const T &value) {
    MOTIF::observe(*this, value);
  }
  template <class T>
  void member_array(const char *, const T *values, std::size_t count) {
    elements(values, count);
  }
  template <class T>
  void member_array(const char *, const T *values, std::size_t count, std::size_t most) {
    elements(values, count < most ? count : most);
  }
  template <class T>
  void member_behind(const char *, const T *values, std::size_t count) {
    elements(values, count);
  }
  template <class T>
  void member_allocated(const char *, const T *values) {
    motif_null(raw_, values == nullptr);
  }
  template <class T>
  void member_unless_address(const char *name, const T &value) {
    member(name, value);
  }
  template <class F>
  void beside(const char *, F &&members) {
    members();
  }
  void skip_member(const char *, const char *) {}
  template <class T, class U>
  void place(const char *name, const T *at, const U *from) {
    motif_place(raw_, name, at, from, sizeof *at);
  }
  void prints() {}
  void printed() {}

  // What leaves by an exception is not followed.
  template <class F>
  bool call(F &&body) {
    body();
    return true;
  }
  template <class F>
  bool returned(const char *name, F &&body) {
    returned_as(name, body, static_cast<decltype(body()) *>(nullptr));
    return true;
  }
  int differences(const Record &, std::initializer_list<const char *> = {}) const { return 0; }
  motif_record *raw() const { return raw_; }

  template <class T>
  void elements(const T *values, std::size_t count) {
    motif_null(raw_, values == nullptr);
    if (!values) return;
    for (std::size_t i = 0; i < count; ++i) MOTIF::observe(*this, values[i]);
  }

 private:
  template <class F, class R>
  void returned_as(const char *name, F &body, R *) {
    const R result = body();
    output(name, result);
  }
  template <class F>
  void returned_as(const char *, F &body, void *) {
    body();
  }
  motif_record *raw_;
};

// ---- values ---------------------------------------------------------------------------------------------

namespace detail {

template <class T>
typename only_if<is_number<T>::value, T>::type take_as(Input &in, T *, rank<2>) {
  T value;
  motif_take(in.raw(), kind_of<T>::value, &value, sizeof value);
  return value;
}
template <class T>
typename only_if<__is_enum(T), T>::type take_as(Input &in, T *, rank<2>) {
  return static_cast<T>(take<__underlying_type(T)>(in));
}
inline std::string take_as(Input &in, std::string *, rank<2>) { return in.text<std::string>(64); }
template <class V>
std::vector<V> take_as(Input &in, std::vector<V> *, rank<2>) {
  std::vector<V> list;
  const std::size_t count = in.size(0, 16);
  for (std::size_t i = 0; i < count; ++i) list.push_back(take<V>(in));
  return list;
}
template <class T>
T take(Input &in) {
  return take_as(in, static_cast<T *>(nullptr), rank<2>());
}

// Converts to exactly T: a hook must not be found through another conversion.
template <class T>
struct Exactly {
  template <class U, class = typename only_if<__is_same(U, T)>::type>
  operator const U &() const;
};

template <class T>
typename only_if<is_number<T>::value>::type observe_as(Record &record, const T &value, rank<4>) {
  motif_value(record.raw(), kind_of<T>::value, &value, sizeof value);
}
template <class T>
typename only_if<__is_enum(T)>::type observe_as(Record &record, const T &value, rank<4>) {
  const long long number = static_cast<long long>(value);
  motif_value(record.raw(), MOTIF_ENUM, &number, sizeof number);
}
inline void observe_as(Record &record, const std::string &value, rank<4>) {
  motif_cell(record.raw(), 5, value.size());
  for (std::size_t i = 0; i < value.size(); ++i) motif_cell(record.raw(), 6, static_cast<unsigned char>(value[i]));
}
template <class V>
void observe_as(Record &record, const std::vector<V> &value, rank<4>) {
  motif_cell(record.raw(), 5, value.size());
  for (std::size_t i = 0; i < value.size(); ++i) MOTIF::observe(record, value[i]);
}
template <class A, class B>
void observe_as(Record &record, const std::pair<A, B> &value, rank<4>) {
  MOTIF::observe(record, value.first);
  MOTIF::observe(record, value.second);
}
template <class T, std::size_t N>
void observe_as(Record &record, const T (&value)[N], rank<4>) {
  record.elements(value, N);
}
// Of a pointer to a number, that number, as the search sees it in constant tables. What else is behind pointers is not
// looked at: such a record does not compile. Text is compared to its end.
inline void observe_as(Record &record, const char *const &value, rank<4>) {
  motif_null(record.raw(), value == nullptr);
  for (std::size_t i = 0; value && value[i]; ++i) motif_cell(record.raw(), 6, static_cast<unsigned char>(value[i]));
}
inline void observe_as(Record &record, char *const &value, rank<4>) {
  const char *const text = value;
  observe_as(record, text, rank<4>());
}
template <class T>
typename only_if<is_number<T>::value>::type observe_as(Record &record, T *const &value, rank<3>) {
  motif_null(record.raw(), value == nullptr);
  if (value) MOTIF::observe(record, *value);
}
// A class of the project.
template <class T>
typename always<decltype(observe_members(any<Record &>(), any<const Exactly<T> &>()))>::type observe_as(
    Record &record, const T &value, rank<2>) {
  observe_members(record, value);
}

}  // namespace detail

template <class T>
void observe(Record &record, const T &value) {
  detail::observe_as(record, value, detail::rank<4>());
}

}  // namespace MOTIF

#endif
