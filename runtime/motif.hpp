// What generated C++ drivers are written against: motif.h with types. C++14; works without exceptions and RTTI.
//
// A class of the project is observed through a function that the driver declares behind this header:
//   namespace MOTIF { void observe_members(Record &record, const sat::Mission &mission); }
// It is found for the class itself, and for a subclass that has none of its own.
#ifndef MOTIF_HPP
#define MOTIF_HPP

#include "motif.h"

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>
#if __cplusplus >= 201703L
#include <variant>
#endif
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#include <exception>
#include <string>
#define MOTIF_EXCEPTIONS 1
#endif
#if defined(__cpp_rtti) || defined(__GXX_RTTI)
#include <typeinfo>
#define MOTIF_RTTI 1
#endif
#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <vector>

namespace MOTIF {

class Input;
class Record;

template <class T>
void observe(Record &record, const T &value);

namespace detail {

template <int N>
struct rank : rank<N - 1> {};
template <>
struct rank<0> {};

template <class...>
using always = void;

// ---- kinds ------------------------------------------------------------------------------------------

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

template <class T>
struct is_wide : std::integral_constant<bool, std::is_same<T, int128>::value || std::is_same<T, uint128>::value> {};
template <class T>
struct is_number : std::integral_constant<bool, std::is_arithmetic<T>::value || is_wide<T>::value> {};

template <class T>
constexpr motif_kind kind_of() {
  using U = typename std::remove_cv<T>::type;
  return std::is_enum<U>::value                 ? MOTIF_ENUM
         : std::is_same<U, bool>::value         ? MOTIF_BOOL
         : std::is_same<U, char>::value         ? MOTIF_CHAR
         : std::is_same<U, float>::value        ? MOTIF_FLOAT
         : std::is_same<U, double>::value       ? MOTIF_DOUBLE
         : std::is_same<U, long double>::value  ? MOTIF_LONG_DOUBLE
         : std::is_same<U, int128>::value       ? MOTIF_INT128
         : std::is_same<U, uint128>::value      ? MOTIF_UINT128
         : sizeof(U) == 1                       ? (std::is_signed<U>::value ? MOTIF_INT8 : MOTIF_UINT8)
         : sizeof(U) == 2                       ? (std::is_signed<U>::value ? MOTIF_INT16 : MOTIF_UINT16)
         : sizeof(U) == 4                       ? (std::is_signed<U>::value ? MOTIF_INT32 : MOTIF_UINT32)
                                                : (std::is_signed<U>::value ? MOTIF_INT64 : MOTIF_UINT64);
}

template <class T, class = void>
struct is_complete : std::false_type {};
template <class T>
struct is_complete<T, always<decltype(sizeof(T))>> : std::true_type {};

// ---- type names ---------------------------------------------------------------------------------------

#if defined(MOTIF_RTTI)
// The name as written, with every `mut_` taken out: a copy's class is called like the original. Names are kept by
// the runtime, not here: a static variable of the driver would look like state of the unit.
inline const char *type_name(const std::type_info &type) {
  if (const char *known = motif_known_name(&type)) return known;
  int status = 0;
  char *name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  const char *kept = motif_keep_name(&type, name ? name : type.name());
  std::free(name);
  return kept;
}
#endif

}  // namespace detail

// ---- the input ------------------------------------------------------------------------------------------

// The fuzzer's bytes as typed values. What is missing is zero.
class Input {
 public:
  explicit Input(motif_input *raw) : raw_(raw) {}

  // A value of any type made of numbers: also std::string (a length up to 64, then characters), std::vector
  // (a length up to 16, then elements), arrays, pairs, tuples and std::complex of such types.
  template <class T>
  T take();

  // How many elements follow, both ends included.
  std::size_t size(std::size_t least, std::size_t most) { return motif_take_size(raw_, least, most); }
  // Which of several alternatives follows, from 0.
  std::size_t pick(std::size_t choices) { return motif_take_pick(raw_, choices); }
  // One of the enumerators; now and then another value of the type.
  template <class E>
  E enumerator(std::initializer_list<E> values);
  template <class E, std::size_t N>
  E take_enum(const E (&values)[N]);
  // Alive as long as the input.
  char *cstring(std::size_t most) { return motif_take_cstring(raw_, most); }
  // A string of at most `most` characters that may hold NULs.
  template <class String>
  String text(std::size_t most);
  // `count` values in a row.
  template <class T>
  void array(T *to, std::size_t count);
  // Storage for `count` zeroed objects of a trivial type, alive as long as the input.
  template <class T>
  T *allocate(std::size_t count) {
    return static_cast<T *>(motif_allocate(raw_, count * sizeof(T)));
  }

  motif_input *raw() const { return raw_; }

 private:
  template <class E>
  E enumerator_of(const E *values, std::size_t count);

  motif_input *raw_;
};

// ---- the record -----------------------------------------------------------------------------------------

// Everything that a caller could see after the call.
class Record {
 public:
  explicit Record(motif_record *raw) : raw_(raw) {}
  Record(const Record &) = delete;
  Record &operator=(const Record &) = delete;

  // A result or an output parameter.
  template <class T>
  void output(const char *name, const T &value) {
    top(name, MOTIF_OUTPUT, value);
  }
  // What the object is like afterwards.
  template <class T>
  void state(const char *name, const T &value) {
    top(name, MOTIF_STATE, value);
  }
  // `count` values behind a pointer.
  template <class T>
  void output_array(const char *name, const T *values, std::size_t count) {
    top_array(name, MOTIF_OUTPUT, values, count);
  }
  template <class T>
  void state_array(const char *name, const T *values, std::size_t count) {
    top_array(name, MOTIF_STATE, values, count);
  }
  // Says why a value is left out of the comparison.
  void skip(const char *name, motif_part part, const char *why) {
    motif_open(raw_, name, part);
    motif_skip(raw_, why);
    motif_close(raw_);
  }

  // A data member, within observe_members.
  template <class T>
  void member(const char *name, const T &value) {
    motif_open_member(raw_, name);
    MOTIF::observe(*this, value);
    motif_close(raw_);
  }
  template <class T>
  void member_array(const char *name, const T *values, std::size_t count) {
    motif_open_member(raw_, name);
    elements(values, count);
    motif_close(raw_);
  }
  void skip_member(const char *name, const char *why) {
    motif_open_member(raw_, name);
    motif_skip(raw_, why);
    motif_close(raw_);
  }

  // Runs the call under test; an exception that leaves it becomes part of the record. True where it returned.
  template <class F>
  bool call(F &&body);
  // The same for a call whose result counts: whatever `body` returns, void too, is recorded as `name`.
  template <class F>
  bool returned(const char *name, F &&body);

  motif_record *raw() const { return raw_; }

  template <class T>
  void elements(const T *values, std::size_t count) {
    if (!values) {
      motif_null(raw_, 1);
      return;
    }
    for (std::size_t i = 0; i < count && !motif_is_full(raw_); ++i) {
      motif_open_index(raw_, i);
      MOTIF::observe(*this, values[i]);
      motif_close(raw_);
    }
  }

  // Objects met on the way, so that a cycle ends; the number tells which one is met again.
  bool meet(const void *object, const void *type, std::size_t &which) {
    for (which = 0; which < met_; ++which) {
      if (objects_[which] == object && types_[which] == type) return false;
    }
    if (met_ < kMet) {
      objects_[met_] = object;
      types_[met_] = type;
      ++met_;
    }
    return true;
  }
  std::size_t met() const { return met_; }
  void forget_after(std::size_t met) { met_ = met; }
  bool descend() { return ++depth_ <= kDepth; }
  void ascend() { --depth_; }

 private:
  template <class T>
  void top(const char *name, motif_part part, const T &value) {
    motif_open(raw_, name, part);
    met_ = 0;
    depth_ = 0;
    MOTIF::observe(*this, value);
    motif_close(raw_);
  }
  template <class T>
  void top_array(const char *name, motif_part part, const T *values, std::size_t count) {
    motif_open(raw_, name, part);
    met_ = 0;
    depth_ = 0;
    elements(values, count);
    motif_close(raw_);
  }
#if defined(MOTIF_EXCEPTIONS)
  void thrown(const char *type) {
    motif_open(raw_, "exception", MOTIF_EXCEPTION);
    motif_open_member(raw_, "type");
    motif_text(raw_, type, std::strlen(type));
    motif_close(raw_);
  }
  void thrown_what(const char *what) {
    motif_open_member(raw_, "what");
    motif_text(raw_, what, std::strlen(what));
    motif_close(raw_);
  }
  static const char *current_type() {
#if defined(MOTIF_RTTI)
    const std::type_info *type = abi::__cxa_current_exception_type();
    return type ? detail::type_name(*type) : "?";
#else
    return "?";
#endif
  }
  template <class T>
  void thrown_value(const T &value) {
    thrown(current_type());
    motif_open_member(raw_, "value");
    MOTIF::observe(*this, value);
    motif_close(raw_);
    motif_close(raw_);
  }
#endif

  static constexpr std::size_t kMet = 256;
  static constexpr int kDepth = 6;

  motif_record *raw_;
  const void *objects_[kMet];
  const void *types_[kMet];
  std::size_t met_ = 0;
  int depth_ = 0;
};

namespace detail {

// ---- taking ---------------------------------------------------------------------------------------------

template <class T>
T take(Input &in);

template <class T>
auto take_as(Input &in, rank<9>) -> typename std::enable_if<is_number<T>::value, T>::type {
  T value;
  motif_take(in.raw(), kind_of<T>(), &value, sizeof value);
  return value;
}
template <class T>
auto take_as(Input &in, rank<8>) -> typename std::enable_if<std::is_enum<T>::value, T>::type {
  return static_cast<T>(take<typename std::underlying_type<T>::type>(in));
}
// Strings.
template <class T, class = typename T::traits_type, class = decltype(std::declval<T &>().push_back(
                                                        std::declval<typename T::value_type>()))>
T take_as(Input &in, rank<7>) {
  return in.text<T>(64);
}
// Complex numbers: two values in a row.
template <class T, class V = typename T::value_type, class = decltype(std::declval<T &>().imag(std::declval<V>()))>
T take_as(Input &in, rank<6>) {
  V parts[2];
  in.array(parts, 2);
  return T(parts[0], parts[1]);
}
// Vectors and lists.
template <class T, class V = typename T::value_type, class = decltype(std::declval<T &>().push_back(std::declval<V>()))>
T take_as(Input &in, rank<5>) {
  T list;
  const std::size_t count = in.size(0, 16);
  for (std::size_t i = 0; i < count; ++i) list.push_back(take<V>(in));
  return list;
}
// Sets and maps.
template <class K, class V>
std::pair<typename std::remove_const<K>::type, V> mutable_pair(const std::pair<K, V> *);
template <class V>
V mutable_pair(const V *);
template <class T, class V = typename T::value_type, class = typename T::key_type,
          class = decltype(std::declval<T &>().insert(std::declval<V>()))>
T take_as(Input &in, rank<4>) {
  using Element = decltype(mutable_pair(static_cast<const V *>(nullptr)));
  T all;
  const std::size_t count = in.size(0, 16);
  for (std::size_t i = 0; i < count; ++i) all.insert(V(take<Element>(in)));
  return all;
}
// Arrays of a fixed length.
template <class T, class V = typename T::value_type, class = decltype(std::declval<T &>().fill(std::declval<V>())),
          std::size_t N = std::tuple_size<T>::value>
T take_as(Input &in, rank<3>) {
  T all{};
  in.array(all.data(), N);
  return all;
}
template <class T, std::size_t... I>
T take_tuple(Input &in, std::index_sequence<I...>) {
  // Braces keep the order.
  return T{take<typename std::decay<typename std::tuple_element<I, T>::type>::type>(in)...};
}
template <class T, std::size_t N = std::tuple_size<T>::value>
T take_as(Input &in, rank<2>) {
  return take_tuple<T>(in, std::make_index_sequence<N>());
}

template <class T>
T take(Input &in) {
  return take_as<T>(in, rank<9>());
}

template <class T>
typename std::enable_if<is_number<T>::value>::type take_array(Input &in, T *to, std::size_t count) {
  motif_take_array(in.raw(), kind_of<T>(), to, sizeof(T), count);
}
template <class T>
typename std::enable_if<!is_number<T>::value>::type take_array(Input &in, T *to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = take<T>(in);
}

}  // namespace detail

template <class T>
T Input::take() {
  return detail::take<typename std::remove_cv<T>::type>(*this);
}

template <class T>
void Input::array(T *to, std::size_t count) {
  detail::take_array(*this, to, count);
}

template <class String>
String Input::text(std::size_t most) {
  const std::size_t length = size(0, most);
  String value(length, typename String::value_type());
  array(length ? &value[0] : static_cast<typename String::value_type *>(nullptr), length);
  return value;
}

template <class E>
E Input::enumerator_of(const E *values, std::size_t count) {
  long long numbers[256];
  if (count > 256) count = 256;
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<long long>(values[i]);
  return static_cast<E>(motif_take_enum(raw_, numbers, count));
}
template <class E>
E Input::enumerator(std::initializer_list<E> values) {
  return enumerator_of(values.begin(), values.size());
}
template <class E, std::size_t N>
E Input::take_enum(const E (&values)[N]) {
  return enumerator_of(values, N);
}

namespace detail {

// ---- observing ------------------------------------------------------------------------------------------

// Converts to exactly T, or to a base of it: a hook must not be found through some implicit conversion.
template <class T>
struct Exactly {
  template <class U, class = typename std::enable_if<std::is_same<U, T>::value>::type>
  operator const U &() const;
};
template <class T>
struct OrBase {
  template <class U, class = typename std::enable_if<std::is_base_of<U, T>::value>::type>
  operator const U &() const;
};

// Found by their record through the namespace MOTIF, also where they are declared later.
template <class T, class = void>
struct has_hook : std::false_type {};
template <class T>
struct has_hook<T, always<decltype(observe_members(std::declval<Record &>(), std::declval<const Exactly<T> &>()))>>
    : std::true_type {};
template <class T, class = void>
struct has_base_hook : std::false_type {};
template <class T>
struct has_base_hook<T, always<decltype(observe_members(std::declval<Record &>(), std::declval<const OrBase<T> &>()))>>
    : std::true_type {};

inline void number(Record &record, motif_kind kind, const void *value, std::size_t size) {
  motif_value(record.raw(), kind, value, size);
}

inline void whether(Record &record, const char *name, bool value) {
  motif_open_member(record.raw(), name);
  number(record, MOTIF_BOOL, &value, sizeof value);
  motif_close(record.raw());
}

inline void how_many(Record &record, std::size_t count) {
  motif_open_member(record.raw(), "size");
  number(record, MOTIF_SIZE, &count, sizeof count);
  motif_close(record.raw());
}

template <class T>
void at_index(Record &record, std::size_t index, const T &value) {
  motif_open_index(record.raw(), index);
  MOTIF::observe(record, value);
  motif_close(record.raw());
}

constexpr std::size_t kElements = 65536;
constexpr std::size_t kText = 4096;

// ---- numbers, enumerators, null

template <class T>
auto observe_as(Record &record, const T &value, rank<30>) -> typename std::enable_if<is_number<T>::value>::type {
  number(record, kind_of<T>(), &value, sizeof value);
}
template <class T>
auto observe_as(Record &record, const T &value, rank<30>) -> typename std::enable_if<std::is_enum<T>::value>::type {
  using Number = typename std::underlying_type<T>::type;
  const long long number_of = static_cast<long long>(static_cast<Number>(value));
  number(record, MOTIF_ENUM, &number_of, sizeof number_of);
}
template <class T>
auto observe_as(Record &record, const T &, rank<30>) ->
    typename std::enable_if<std::is_same<T, std::nullptr_t>::value>::type {
  motif_null(record.raw(), 1);
}
template <class T>
auto observe_as(Record &record, const T &, rank<30>) ->
    typename std::enable_if<std::is_member_pointer<T>::value>::type {
  motif_skip(record.raw(), "a pointer to member is not comparable");
}

// ---- arrays

template <std::size_t N>
void observe_as(Record &record, const char (&value)[N], rank<30>) {
  motif_text(record.raw(), value, strnlen(value, N));
}
template <class T, std::size_t N>
void observe_as(Record &record, const T (&value)[N], rank<29>) {
  record.elements(value, N);
}

// ---- pointers

template <class T>
struct is_text : std::is_same<typename std::remove_cv<T>::type, char> {};

template <class T>
struct type_key {
  static const char key;
};
template <class T>
const char type_key<T>::key = 0;

template <class T, class = void>
struct dynamic_name {
  static void observe(Record &, const T &) {}
};
#if defined(MOTIF_RTTI)
template <class T>
struct dynamic_name<T, typename std::enable_if<std::is_polymorphic<T>::value>::type> {
  static void observe(Record &record, const T &value) {
    motif_open_member(record.raw(), "type");
    const char *name = type_name(typeid(value));
    motif_text(record.raw(), name, std::strlen(name));
    motif_close(record.raw());
  }
};
#endif

// The object that a pointer of whatever sort leads to.
template <class T>
void pointee(Record &record, const T &object) {
  std::size_t which = 0;
  if (!record.meet(static_cast<const void *>(std::addressof(object)), &type_key<T>::key, which)) {
    motif_open_member(record.raw(), "seen");
    number(record, MOTIF_SIZE, &which, sizeof which);
    motif_close(record.raw());
    return;
  }
  if (record.descend()) {
    dynamic_name<T>::observe(record, object);
    MOTIF::observe(record, object);
  } else {
    motif_skip(record.raw(), "too deep");
  }
  record.ascend();
}

template <class T>
struct leads_to_object
    : std::integral_constant<bool, (std::is_class<T>::value || std::is_union<T>::value) && is_complete<T>::value> {};

template <class T>
auto observe_pointer(Record &record, T *value, rank<2>) -> typename std::enable_if<is_text<T>::value>::type {
  if (value) motif_text(record.raw(), const_cast<const char *>(value), strnlen(const_cast<const char *>(value), kText));
}
template <class T>
auto observe_pointer(Record &record, T *value, rank<1>) ->
    typename std::enable_if<leads_to_object<typename std::remove_cv<T>::type>::value>::type {
  if (value) pointee(record, const_cast<const typename std::remove_cv<T>::type &>(*value));
}
template <class T>
void observe_pointer(Record &, T *, rank<0>) {}

template <class T>
auto observe_as(Record &record, const T &value, rank<30>) -> typename std::enable_if<std::is_pointer<T>::value>::type {
  motif_null(record.raw(), value == nullptr);
  observe_pointer(record, value, rank<2>());
}

// ---- classes with a hook

template <class T>
auto observe_as(Record &record, const T &value, rank<28>) -> typename std::enable_if<has_hook<T>::value>::type {
  observe_members(record, value);
}

// ---- the standard library, by shape

// string_view and string; other character types element by element.
template <class T, class C = typename T::value_type, class = typename T::traits_type,
          class = decltype(std::declval<const T &>().data()), class = decltype(std::declval<const T &>().size())>
void observe_as(Record &record, const T &value, rank<27>) {
  const std::size_t count = value.size();
  if (sizeof(C) == 1) {
    motif_text(record.raw(), reinterpret_cast<const char *>(value.data()), count);
  } else {
    how_many(record, count);
    record.elements(value.data(), count);
  }
}
// std::filesystem::path: a range of itself.
template <class T, class = typename T::value_type, class = typename T::string_type,
          class = decltype(std::declval<const T &>().native())>
void observe_as(Record &record, const T &value, rank<26>) {
  MOTIF::observe(record, value.native());
}
// String streams, then streams that can't be read without changing them.
template <class T, class = decltype(std::declval<const T &>().rdbuf())>
auto observe_as(Record &record, const T &value, rank<25>) -> decltype(value.str().size(), void()) {
  whether(record, "good", value.good());
  MOTIF::observe(record, value.str());
}
template <class T, class = decltype(std::declval<const T &>().rdbuf())>
void observe_as(Record &record, const T &value, rank<24>) {
  whether(record, "good", value.good());
  motif_skip(record.raw(), "a stream's content is not comparable");
}
// Iterators.
template <class T, class = typename T::iterator_category>
void observe_as(Record &record, const T &, rank<23>) {
  motif_skip(record.raw(), "an iterator is not comparable");
}
// Complex numbers.
template <class T, class = typename T::value_type>
auto observe_as(Record &record, const T &value, rank<22>) -> decltype(value.real(), value.imag(), void()) {
  record.member("real", value.real());
  record.member("imag", value.imag());
}
// Atomics.
template <class T>
auto observe_as(Record &record, const T &value, rank<21>) -> decltype(value.is_lock_free(), value.load(), void()) {
  MOTIF::observe(record, value.load());
}
// Durations and points of time.
template <class T, class = typename T::period>
auto observe_as(Record &record, const T &value, rank<20>) -> decltype(value.count(), void()) {
  MOTIF::observe(record, value.count());
}
template <class T, class = typename T::clock>
auto observe_as(Record &record, const T &value, rank<20>) -> decltype(value.time_since_epoch(), void()) {
  MOTIF::observe(record, value.time_since_epoch());
}
// Bit sets.
template <class T>
auto observe_as(Record &record, const T &value, rank<19>) ->
    decltype(value.test(std::size_t()), value.to_ulong(), value.size(), void()) {
  for (std::size_t i = 0; i < value.size(); ++i) at_index(record, i, value.test(i));
}
// Containers without order: their elements sorted by what is recorded of them.
template <class T>
auto observe_as(Record &record, const T &value, rank<18>) ->
    decltype(std::declval<typename T::hasher>(), value.begin() == value.end(), void()) {
  using Element = typename T::value_type;
  std::vector<std::pair<std::vector<unsigned char>, const Element *>> sorted;
  const std::size_t met = record.met();
  for (const Element &element : value) {
    const motif_scratch scratch = motif_scratch_begin(record.raw());
    MOTIF::observe(record, element);
    std::size_t length = 0;
    const unsigned char *bytes =
        static_cast<const unsigned char *>(motif_scratch_bytes(record.raw(), scratch, &length));
    sorted.emplace_back(std::vector<unsigned char>(bytes, bytes + length), &element);
    motif_scratch_end(record.raw(), scratch);
    record.forget_after(met);
    if (sorted.size() >= kElements) break;
  }
  std::sort(sorted.begin(), sorted.end(), [](const auto &one, const auto &other) { return one.first < other.first; });
  how_many(record, sorted.size());
  std::size_t index = 0;
  for (const auto &one : sorted) {
    if (motif_is_full(record.raw())) break;
    at_index(record, index++, *one.second);
  }
}
// Every other range, std::vector<bool> with its proxies too.
template <class T>
struct stands_for_bool : std::is_same<typename T::value_type, bool> {};
template <class T, class I>
auto observe_element(Record &record, std::size_t index, const I &at, rank<1>) ->
    typename std::enable_if<stands_for_bool<T>::value>::type {
  at_index(record, index, static_cast<bool>(*at));
}
template <class T, class I>
void observe_element(Record &record, std::size_t index, const I &at, rank<0>) {
  const auto &element = *at;
  at_index(record, index, element);
}
template <class T, class I = decltype(std::declval<const T &>().begin()),
          class V = typename std::decay<decltype(*std::declval<I &>())>::type>
auto observe_as(Record &record, const T &value, rank<17>) ->
    typename std::enable_if<!std::is_same<V, T>::value, decltype(value.begin() != value.end(), void())>::type {
  // The elements first, their number behind them: one walk for every kind of range.
  std::size_t count = 0;
  const auto end = value.end();
  for (auto at = value.begin(); at != end && count < kElements && !motif_is_full(record.raw()); ++at, ++count) {
    observe_element<T>(record, count, at, rank<1>());
  }
  how_many(record, count);
}
// Container adaptors, where private parts are open.
template <class T, class = typename T::container_type>
auto observe_as(Record &record, const T &value, rank<16>) -> decltype(value.c.begin(), void()) {
  MOTIF::observe(record, value.c);
}
// Pairs and tuples.
template <class A, class B>
void observe_as(Record &record, const std::pair<A, B> &value, rank<16>) {
  record.member("first", value.first);
  record.member("second", value.second);
}
template <class... Ts, std::size_t... I>
void observe_tuple(Record &record, const std::tuple<Ts...> &value, std::index_sequence<I...>) {
  (void)record;
  (void)value;
  const int in_order[] = {0, (at_index(record, I, std::get<I>(value)), 0)...};
  (void)in_order;
}
template <class... Ts>
void observe_as(Record &record, const std::tuple<Ts...> &value, rank<16>) {
  observe_tuple(record, value, std::index_sequence_for<Ts...>());
}
#if __cplusplus >= 201703L
template <class... Ts>
void observe_as(Record &record, const std::variant<Ts...> &value, rank<16>) {
  const std::size_t index = value.index();
  motif_open_member(record.raw(), "index");
  number(record, MOTIF_PICK, &index, sizeof index);
  motif_close(record.raw());
  if (!value.valueless_by_exception()) std::visit([&record](const auto &held) { record.member("value", held); }, value);
}
inline void observe_as(Record &record, const std::monostate &, rank<16>) { motif_null(record.raw(), 1); }
#endif
// std::optional and its like; std::any tells only whether it is empty.
template <class T>
auto observe_as(Record &record, const T &value, rank<15>) -> decltype(value.has_value(), *value, void()) {
  whether(record, "has_value", value.has_value());
  if (value.has_value()) record.member("value", *value);
}
template <class T>
auto observe_as(Record &record, const T &value, rank<14>) -> decltype(value.has_value(), value.type(), void()) {
  whether(record, "has_value", value.has_value());
  motif_skip(record.raw(), "the content of a type-erased value is not comparable");
}
// Functions: whether there is one.
template <class T>
auto observe_as(Record &record, const T &value, rank<13>) -> decltype(value.target_type(), static_cast<bool>(value), void()) {
  motif_null(record.raw(), !static_cast<bool>(value));
}
// Smart pointers.
template <class T>
auto observe_as(Record &record, const T &value, rank<12>) -> decltype(value.expired(), value.lock(), void()) {
  MOTIF::observe(record, value.lock());
}
template <class T, class E>
auto observe_owned(Record &record, const T &value, rank<2>) -> typename std::enable_if<leads_to_object<E>::value>::type {
  pointee<E>(record, *value.get());
}
template <class T, class E>
auto observe_owned(Record &record, const T &value, rank<1>) ->
    typename std::enable_if<(is_number<E>::value || std::is_enum<E>::value) && !std::is_array<E>::value,
                            decltype(*value, void())>::type {
  MOTIF::observe(record, *value);
}
template <class T, class E>
void observe_owned(Record &, const T &, rank<0>) {}
template <class T, class E = typename T::element_type>
auto observe_as(Record &record, const T &value, rank<11>) ->
    typename std::enable_if<std::is_pointer<decltype(value.get())>::value, decltype(static_cast<bool>(value), void())>::type {
  motif_null(record.raw(), !static_cast<bool>(value));
  if (value.get()) observe_owned<T, typename std::remove_cv<E>::type>(record, value, rank<2>());
}
// std::reference_wrapper.
template <class T, class U = typename T::type>
auto observe_as(Record &record, const T &value, rank<10>) ->
    typename std::enable_if<std::is_same<decltype(value.get()), U &>::value>::type {
  MOTIF::observe(record, value.get());
}

// ---- what is left

// A subclass without a hook: what its base shows.
template <class T>
auto observe_as(Record &record, const T &value, rank<3>) -> typename std::enable_if<has_base_hook<T>::value>::type {
  observe_members(record, value);
}
// A hook that is a template.
template <class T, class = typename std::enable_if<std::is_class<T>::value>::type>
auto observe_as(Record &record, const T &value, rank<2>) -> decltype(observe_members(record, value), void()) {
  observe_members(record, value);
}
template <class T>
auto observe_as(Record &, const T &, rank<1>) -> typename std::enable_if<std::is_empty<T>::value>::type {}
template <class T>
void observe_as(Record &record, const T &, rank<0>) {
  motif_skip(record.raw(), "a value of this type is not comparable");
}

}  // namespace detail

// Records a value by its type: never padding, never an address.
template <class T>
void observe(Record &record, const T &value) {
  detail::observe_as(record, value, detail::rank<30>());
}

// The one value behind a pointer, where it is known that there is exactly one.
template <class T>
void observe_pointee(Record &record, const T *value) {
  motif_null(record.raw(), value == nullptr);
  if (value) observe(record, *value);
}

// ---- calling --------------------------------------------------------------------------------------------

namespace detail {

template <class R>
struct Returned {
  template <class F>
  static void run(Record &record, const char *name, F &body) {
    auto &&result = body();
    motif_leave(record.raw());
    record.output(name, result);
  }
};
template <>
struct Returned<void> {
  template <class F>
  static void run(Record &, const char *, F &body) {
    body();
  }
};

}  // namespace detail

template <class F>
bool Record::call(F &&body) {
  motif_enter(raw_);
#if defined(MOTIF_EXCEPTIONS)
  try {
    body();
    motif_leave(raw_);
    return true;
  } catch (const std::exception &exception) {
    motif_leave(raw_);
#if defined(MOTIF_RTTI)
    thrown(detail::type_name(typeid(exception)));
#else
    thrown("std::exception");
#endif
    thrown_what(exception.what());
    motif_close(raw_);
  } catch (int value) {
    motif_leave(raw_);
    thrown_value(value);
  } catch (unsigned value) {
    motif_leave(raw_);
    thrown_value(value);
  } catch (long value) {
    motif_leave(raw_);
    thrown_value(value);
  } catch (const char *value) {
    motif_leave(raw_);
    thrown_value(value);
  } catch (const std::string &value) {
    motif_leave(raw_);
    thrown_value(value);
  } catch (...) {
    motif_leave(raw_);
    thrown(current_type());
    motif_close(raw_);
  }
  return false;
#else
  body();
  motif_leave(raw_);
  return true;
#endif
}

template <class F>
bool Record::returned(const char *name, F &&body) {
  return call([&] { detail::Returned<decltype(body())>::run(*this, name, body); });
}

}  // namespace MOTIF

#endif
