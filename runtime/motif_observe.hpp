// How a value of each type is recorded; part of motif.hpp.
#ifndef MOTIF_OBSERVE_HPP
#define MOTIF_OBSERVE_HPP

#include "motif.hpp"

#include <algorithm>
#if __cplusplus >= 201703L
#include <variant>
#endif

namespace MOTIF {

namespace detail {

// ---- observing ------------------------------------------------------------------------------------------

// Converts to exactly T, or to a base of it: a hook must not be found through an implicit conversion.
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

// Found by argument-dependent lookup through the namespace MOTIF, also if declared later.
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

// The members that derived classes add.
template <class T, class = void>
struct has_derived : std::false_type {};
template <class T>
struct has_derived<T, always<decltype(observe_derived(std::declval<Record &>(), std::declval<const Exactly<T> &>()))>>
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

// Elements that an object leads to, by the ends that it gives.
template <class I>
struct Between {
  I from, to;
};

// ---- by the sort of a type -------------------------------------------------------------------------------
// It decides first: most of what is recorded are numbers and pointers, and each overload that is asked about a type
// takes the compiler's time.

enum class Sort { kNumber, kEnum, kNull, kToMember, kArray, kPointer, kClass, kDeclared, kOther };

// A class that is only declared here: it cannot be queried.
template <class T>
constexpr Sort sort_of(std::true_type) {
  return is_complete<T>::value ? Sort::kClass : Sort::kDeclared;
}
template <class T>
constexpr Sort sort_of(std::false_type) {
  return std::is_pointer<T>::value                  ? Sort::kPointer
         : std::is_enum<T>::value                   ? Sort::kEnum
         : std::is_array<T>::value                  ? Sort::kArray
         : std::is_same<T, std::nullptr_t>::value   ? Sort::kNull
         : std::is_member_pointer<T>::value         ? Sort::kToMember
         : is_number<T>::value                      ? Sort::kNumber
                                                    : Sort::kOther;
}
template <class T>
struct is_object : std::integral_constant<bool, std::is_class<T>::value || std::is_union<T>::value> {};

template <Sort sort>
struct Observer;

template <>
struct Observer<Sort::kNumber> {
  template <class T>
  static void observe(Record &record, const T &value) {
    number(record, kind_of<T>(), &value, sizeof value);
  }
};
template <>
struct Observer<Sort::kEnum> {
  template <class T>
  static void observe(Record &record, const T &value) {
    using Number = typename std::underlying_type<T>::type;
    const long long number_of = static_cast<long long>(static_cast<Number>(value));
    number(record, MOTIF_ENUM, &number_of, sizeof number_of);
  }
};
template <>
struct Observer<Sort::kNull> {
  template <class T>
  static void observe(Record &record, const T &) {
    motif_null(record.raw(), 1);
  }
};
template <>
struct Observer<Sort::kToMember> {
  template <class T>
  static void observe(Record &record, const T &) {
    motif_skip(record.raw(), "a pointer to member is not comparable");
  }
};
template <>
struct Observer<Sort::kArray> {
  template <std::size_t N>
  static void observe(Record &record, const char (&value)[N]) {
    motif_text(record.raw(), value, strnlen(value, N));
  }
  template <class T, std::size_t N>
  static void observe(Record &record, const T (&value)[N]) {
    record.elements(value, N);
  }
};
// Vector types, complex numbers of C and the like: the storage of some has padding.
template <>
struct Observer<Sort::kOther> {
  template <class T>
  static void observe(Record &record, const T &) {
    motif_skip(record.raw(), "a value of this type is not comparable");
  }
};
template <>
struct Observer<Sort::kDeclared> {
  template <class T>
  static void observe(Record &record, const T &) {
    motif_skip(record.raw(), "its class is only declared here");
  }
};

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
    motif_open_member(record.raw(), "<type>");
    const char *name = type_name(typeid(value));
    motif_text(record.raw(), name, std::strlen(name));
    motif_close(record.raw());
  }
};
#endif

// Whether an object is met for the first time; else its number is recorded.
template <class T>
bool is_new(Record &record, const T &object) {
  std::size_t which = 0;
  if (record.meet(static_cast<const void *>(std::addressof(object)), &type_key<T>::key, which)) return true;
  motif_open_member(record.raw(), "seen");
  number(record, MOTIF_SIZE, &which, sizeof which);
  motif_close(record.raw());
  return false;
}

template <class T>
void referent(Record &record, const T &object) {
  if (!record.descend()) {
    motif_skip(record.raw(), "too deep");
  } else if (is_new(record, object)) {
    MOTIF::observe(record, object);
  }
  record.ascend();
}

// The object behind any kind of pointer.
template <class T>
void pointee(Record &record, const T &object) {
  if (!is_new(record, object)) return;
  if (!motif_may_read(record.raw(), std::addressof(object), sizeof(T))) {
    motif_skip(record.raw(), "it can't be read");
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
struct leads_to_object : std::integral_constant<bool, is_object<T>::value && is_complete<T>::value> {};

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
auto observe_pointer(Record &record, T *value, rank<1>) -> typename std::enable_if<std::is_arithmetic<T>::value>::type {
  motif_pointee(record.raw(), kind_of<T>(), const_cast<const typename std::remove_cv<T>::type *>(value), sizeof(T));
}
template <class T>
void observe_pointer(Record &, T *, rank<0>) {}

template <>
struct Observer<Sort::kPointer> {
  template <class T>
  static void observe(Record &record, const T &value) {
    motif_null(record.raw(), value == nullptr);
    observe_pointer(record, value, rank<2>());
  }
};

// ---- the standard library, by shape

// What lies between two ends: text, or a random-access range, whose elements a test indexes.
template <class I>
auto observe_as(Record &record, const Between<I> &value, rank<28>) -> typename std::enable_if<
    std::is_same<typename std::decay<decltype(value.from[0])>::type, char>::value, decltype(value.to - value.from, void())>::type {
  if (value.to - value.from < 0) return;
  char text[kText];
  std::size_t count = 0;
  for (I at = value.from; at != value.to && count < kText; ++at) text[count++] = *at;
  motif_text(record.raw(), text, count);
}
template <class I>
auto observe_as(Record &record, const Between<I> &value, rank<27>) -> decltype(value.to - value.from, value.from[0], void()) {
  const auto distance = value.to - value.from;
  if (distance < 0) return;
  // What leads to itself ends somewhere.
  if (record.descend()) {
    how_many(record, static_cast<std::size_t>(distance));
    for (std::size_t i = 0; i < static_cast<std::size_t>(distance) && i < kElements && !motif_is_full(record.raw()); ++i) {
      at_index(record, i, value.from[static_cast<decltype(value.to - value.from)>(i)]);
    }
  }
  record.ascend();
}
template <class I>
void observe_as(Record &, const Between<I> &, rank<26>) {}
// Rows and columns.
template <class T>
auto observe_as(Record &record, const T &value, rank<28>) ->
    decltype(value.rows(), value.cols(), value(value.rows(), value.cols()), void()) {
  using Index = typename std::decay<decltype(value.rows())>::type;
  record.member("rows()", value.rows());
  record.member("cols()", value.cols());
  for (Index row = 0; row < value.rows() && !motif_is_full(record.raw()); ++row) {
    motif_open_index(record.raw(), static_cast<std::size_t>(row));
    for (Index column = 0; column < value.cols(); ++column) {
      at_index(record, static_cast<std::size_t>(column), value(row, column));
    }
    motif_close(record.raw());
  }
}
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
// std::filesystem::path is a range of itself.
template <class T, class = typename T::value_type, class = typename T::string_type,
          class = decltype(std::declval<const T &>().native())>
void observe_as(Record &record, const T &value, rank<26>) {
  MOTIF::observe(record, value.native());
}
// String streams, then streams that reading would change.
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
// Unordered containers: elements are sorted by their records.
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
// Every other range, also std::vector<bool> with its proxies.
template <class T, class = void>
struct stands_for_bool : std::false_type {};
template <class T>
struct stands_for_bool<T, typename std::enable_if<std::is_same<typename T::value_type, bool>::value>::type>
    : std::true_type {};
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
  // The elements first, then their number: one pass for every kind of range.
  std::size_t count = 0;
  const auto end = value.end();
  for (auto at = value.begin(); at != end && count < kElements && !motif_is_full(record.raw()); ++at, ++count) {
    observe_element<T>(record, count, at, rank<1>());
  }
  how_many(record, count);
}
// Container adaptors, if private members are open.
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
  // What it holds is asked for by its place.
  if (!value.valueless_by_exception()) std::visit([&](const auto &held) { at_index(record, index, held); }, value);
}
inline void observe_as(Record &record, const std::monostate &, rank<16>) { motif_null(record.raw(), 1); }
#endif
// std::valarray has an index and no iterators.
template <class T, class = typename T::value_type>
auto observe_as(Record &record, const T &value, rank<16>) -> decltype(value.cshift(1), value[0], void()) {
  how_many(record, value.size());
  for (std::size_t i = 0; i < value.size() && !motif_is_full(record.raw()); ++i) {
    motif_open_index(record.raw(), i);
    MOTIF::observe(record, value[i]);
    motif_close(record.raw());
  }
}
// Error codes and conditions: number and category.
template <class T>
auto observe_as(Record &record, const T &value, rank<16>) -> decltype(value.category().name(), value.value(), void()) {
  record.member("value()", value.value());
  record.member_text("category().name()", value.category().name(), std::strlen(value.category().name()));
}
// std::type_index and std::type_info: the type.
template <class T>
auto observe_as(Record &record, const T &value, rank<16>) -> decltype(value.hash_code(), value.name(), void()) {
  record.member_text("name()", value.name(), std::strlen(value.name()));
}
// std::optional and similar; std::any only shows whether it is empty.
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
// Functions: whether they are empty.
template <class T>
auto observe_as(Record &record, const T &value, rank<13>)
    -> decltype(value.target_type(), static_cast<bool>(value), void()) {
  motif_null(record.raw(), !static_cast<bool>(value));
}
// Smart pointers.
template <class T>
auto observe_as(Record &record, const T &value, rank<12>) -> decltype(value.expired(), value.lock(), void()) {
  MOTIF::observe(record, value.lock());
}
template <class T, class E>
auto observe_owned(Record &record, const T &value, rank<2>) ->
    typename std::enable_if<leads_to_object<E>::value>::type {
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
    typename std::enable_if<std::is_pointer<decltype(value.get())>::value>::type {
  motif_null(record.raw(), value.get() == nullptr);
  if (value.get()) observe_owned<T, typename std::remove_cv<E>::type>(record, value, rank<2>());
}
// std::reference_wrapper.
template <class T, class U = typename T::type>
auto observe_as(Record &record, const T &value, rank<10>) ->
    typename std::enable_if<std::is_same<decltype(value.get()), U &>::value>::type {
  MOTIF::observe(record, value.get());
}

// ---- what is left

// A derived class without a hook: the members of its base.
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

// The dynamic type of the object.
template <class T>
void observe_rest(Record &record, const T &value, std::true_type) {
  observe_derived(record, value);
}
template <class T>
void observe_rest(Record &, const T &, std::false_type) {}

// A class with a hook; this comes before all shapes.
template <class T>
void observe_object(Record &record, const T &value, std::true_type) {
  observe_members(record, value);
  observe_rest(record, value, std::integral_constant<bool, has_derived<T>::value>());
}
template <class T>
void observe_object(Record &record, const T &value, std::false_type) {
  observe_as(record, value, rank<28>());
}
template <>
struct Observer<Sort::kClass> {
  template <class T>
  static void observe(Record &record, const T &value) {
    observe_object(record, value, std::integral_constant<bool, has_hook<T>::value>());
  }
};

}  // namespace detail

// Records a value by its type: never padding, never an address.
template <class T>
void observe(Record &record, const T &value) {
  using Object = std::integral_constant<bool, detail::is_object<T>::value>;
  detail::Observer<detail::sort_of<T>(Object())>::observe(record, value);
}

namespace detail {
template <class T>
void observe_volatile(Record &record, const volatile T &value, std::true_type) {
  const T now = value;
  MOTIF::observe(record, now);
}
template <class T>
void observe_volatile(Record &record, const volatile T &, std::false_type) {
  motif_skip(record.raw(), "a volatile object is not comparable");
}
}  // namespace detail

// A volatile value is read once.
template <class T>
void observe(Record &record, const volatile T &value) {
  detail::observe_volatile(record, value, typename std::is_scalar<T>::type());
}

namespace detail {
template <class T>
bool may_read(const motif_record *record, const T &value, std::true_type) {
  return motif_may_read(record, std::addressof(value), sizeof(T)) != 0;
}
template <class T>
bool may_read(const motif_record *, const T &, std::false_type) {
  return true;
}
}  // namespace detail

// An argument of a stub, after this many calls: recorded during the call, since the caller may change or destroy it
// later.
template <class T>
void observe_argument(std::size_t calls, const char *method, const char *name, const T &value) {
  constexpr std::size_t kMost = 4096;
  motif_record *raw = motif_aside_begin(kMost);
  if (!raw) return;
  Record record(raw);
  motif_open(raw, "stub_arguments", MOTIF_OUTPUT);
  motif_open_index(raw, calls);
  motif_open_member(raw, method);
  motif_open_member(raw, name);
  if (detail::may_read(raw, value, detail::leads_to_object<T>())) {
    observe(record, value);
  } else {
    motif_skip(raw, "it can't be read");
  }
  for (int open = 0; open < 4; ++open) motif_close(raw);
  motif_aside_end(raw);
}

// The value behind a pointer that points to exactly one.
template <class T>
void observe_pointee(Record &record, const T *value) {
  motif_null(record.raw(), value == nullptr);
  if (value) observe(record, *value);
}

template <class I>
detail::Between<I> between(I from, I to) {
  return {from, to};
}

}  // namespace MOTIF

#endif
