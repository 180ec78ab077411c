// The interface of generated C++ drivers: motif.h with types. C++14; works without exceptions and RTTI.
//
// A class of the project is observed through a function that the driver declares after this header:
//   namespace MOTIF { void observe_members(Record &record, const sat::Mission &mission); }
// It is found for the class itself, and for derived classes without a function of their own.
#ifndef MOTIF_HPP
#define MOTIF_HPP

#include "motif.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#include <exception>
#include <string>
#define MOTIF_EXCEPTIONS 1
#endif
#if defined(__cpp_rtti) || defined(__GXX_RTTI)
#include <typeinfo>
#define MOTIF_RTTI 1
#endif
#include <cstdlib>
#include <cxxabi.h>
#include <vector>

// The call under test, separate from the driver: drivers are not instrumented, and an inlined unit would not be
// either. (It is recognised by the prefix of its name.)
namespace UnderTest {

template <class F>
__attribute__((noinline)) decltype(auto) run(F &body) {
  return body();
}

}  // namespace UnderTest

namespace MOTIF {

class Input;
class Record;

template <class T>
void observe(Record &record, const T &value);
template <class T>
void observe(Record &record, const volatile T &value);

namespace detail {

// What a reference refers to.
template <class T>
void referent(Record &record, const T &object);

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
// The name as written, without `mut_`: a class and its copy have the same name. Names are kept by the runtime: a
// static variable of the driver would look like state of the unit.
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

// The fuzzer's bytes as typed values. Missing bytes are zero.
class Input {
 public:
  explicit Input(motif_input *raw) : raw_(raw) {}

  // A value of any type made of numbers: also std::string (a length up to 64, then characters), std::vector
  // (a length up to 16, then elements), arrays, pairs, tuples and std::complex of such types.
  template <class T>
  T take();

  // The number of elements that follow, bounds included.
  std::size_t size(std::size_t least, std::size_t most) { return motif_take_size(raw_, least, most); }
  // How many calls set an object up.
  std::size_t calls(std::size_t usual) { return motif_take_calls(raw_, usual); }
  // The same from none, with one less than none as the last choice.
  long long size_or_less(std::size_t most) { return motif_take_size_or_less(raw_, most); }
  // A size where only a name says that it is a length: one time in eight it is any value of its type.
  template <class T>
  T length(std::size_t most);
  // The index of one of several alternatives. Always inlined: alternatives are identified by the place of the call.
  [[gnu::always_inline]] inline std::size_t pick(std::size_t choices) { return motif_take_pick(raw_, choices); }
  // The index of one of several ways into a unit, the last one seldom: see motif_take_way().
  [[gnu::always_inline]] inline std::size_t way(std::size_t ways) { return motif_take_way(raw_, ways); }
  // One of the enumerators; sometimes another value of the type.
  template <class E>
  E enumerator(std::initializer_list<E> values);
  template <class E, std::size_t N>
  E take_enum(const E (&values)[N]);
  // Valid as long as the input.
  char *cstring(std::size_t most) { return motif_take_cstring(raw_, most); }
  // The name of a file to read or write, mostly `name`: see motif_take_file().
  const char *file(const char *name, std::size_t most) { return motif_take_file(raw_, name, most); }
  // Text that matches a regular expression; valid as long as the input.
  char *pattern(const char *regular_expression) { return motif_take_pattern(raw_, regular_expression); }
  // A string of at most `most` characters that may hold NULs.
  template <class String>
  String text(std::size_t most);
  // `count` values in a row.
  template <class T>
  void array(T *to, std::size_t count);
  // Sets rows and columns: the object's own number, or if it has none the number that follows, and every element.
  template <class T>
  void grid(T &to, std::size_t most);
  // Storage for `count` zeroed objects of a trivial type, valid as long as the input.
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

// Everything that a caller can see after the call.
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
  // The state of an object after the call.
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
  // Records why a value is not compared.
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
  // A number of a union in which an address may be.
  template <class T>
  void member_unless_address(const char *name, const T &value) {
    if (motif_may_be_address(&value, sizeof value)) {
      skip_member(name, MOTIF_MAY_BE_ADDRESS);
    } else {
      member(name, value);
    }
  }
  // A member that refers to an object, which may lead back to this one.
  template <class T>
  void member_reference(const char *name, const T &object) {
    motif_open_member(raw_, name);
    detail::referent(*this, object);
    motif_close(raw_);
  }
  template <class T>
  void member_array(const char *name, const T *values, std::size_t count) {
    motif_open_member(raw_, name);
    // A signed count may have become negative.
    if (count > static_cast<std::size_t>(-1) / 2) {
      motif_skip(raw_, "its length is negative");
    } else {
      elements(values, count);
    }
    motif_close(raw_);
  }
  // The structures behind a pointer whose number is in another member; at most as many as there are.
  template <class T>
  void member_array(const char *name, const T *values, std::size_t count, std::size_t most) {
    member_array(name, values, count < most || count > static_cast<std::size_t>(-1) / 2 ? count : most);
  }
  // Text between two pointer members.
  void member_range(const char *name, const char *begin, const char *end) {
    motif_open_member(raw_, name);
    motif_text_range(raw_, begin, end);
    motif_close(raw_);
  }
  // The result of a query to an object of another library, which may throw.
  template <class F>
  void asked(const char *name, F &&ask) {
    motif_open_member(raw_, name);
#if defined(MOTIF_EXCEPTIONS)
    try {
      const auto &answer = ask();
      MOTIF::observe(*this, answer);
    } catch (...) {
      motif_skip(raw_, "it does not say");
    }
#else
    const auto &answer = ask();
    MOTIF::observe(*this, answer);
#endif
    motif_close(raw_);
  }
  // The memory behind a pointer, with its length from another member.
  template <class T>
  void member_behind(const char *name, const T *values, std::size_t count) {
    motif_open_member(raw_, name);
    motif_behind(raw_, detail::kind_of<T>(), values, sizeof *values, count);
    motif_close(raw_);
  }
  // The memory behind a pointer, with as many elements as were allocated.
  template <class T>
  void member_allocated(const char *name, const T *values) {
    motif_open_member(raw_, name);
    motif_allocated(raw_, detail::kind_of<T>(), values, sizeof *values);
    motif_close(raw_);
  }
  // How far a pointer is from another one, where both are in one block.
  template <class T, class U>
  void member_distance(const char *name, const T *at, const U *from) {
    motif_distance(raw_, name, at, from, sizeof *at);
  }
  // Where in an array that the input has filled an output stands.
  template <class T, class U>
  void place(const char *name, const T *at, const U *from) {
    motif_place(raw_, name, at, from, sizeof *at);
  }
  // The memory between two pointers.
  template <class T>
  void member_between(const char *name, const T *begin, const T *end) {
    const auto from = reinterpret_cast<std::uintptr_t>(begin), to = reinterpret_cast<std::uintptr_t>(end);
    member_behind(name, begin, begin && to > from ? (to - from) / sizeof(T) : 0);
  }
  void member_text(const char *name, const char *text, std::size_t length) {
    motif_open_member(raw_, name);
    if (length > static_cast<std::size_t>(-1) / 2) {
      motif_skip(raw_, "its length is negative");
    } else {
      motif_text_range(raw_, text, text ? text + length : text);
    }
    motif_close(raw_);
  }
  // What the unit writes to standard output, from the first call to the second.
  void prints() { motif_prints(raw_); }
  void printed() { motif_printed(raw_); }
  void skip_member(const char *name, const char *why) {
    motif_open_member(raw_, name);
    motif_skip(raw_, why);
    motif_close(raw_);
  }

  // The members that a derived class adds to the base through which the object is seen.
  template <class F>
  void beside(const char *name, F &&members) {
    motif_open_member(raw_, name);
    members();
    motif_close(raw_);
  }

  // Runs the call under test; an exception that leaves it becomes part of the record. Returns whether the call
  // returned.
  template <class F>
  bool call(F &&body);
  // The same for a call with a result: the value of `body`, if any, is recorded as `name`.
  template <class F>
  bool returned(const char *name, F &&body);

  // How many of the values that a caller could see differ from those of another record. What stands at one of the paths in
  // `but_for` ("return", "object.count_") does not count, nor what is in it.
  int differences(const Record &other, std::initializer_list<const char *> but_for = {}) const {
    return motif_differences(raw_, other.raw_, but_for.begin(), but_for.size());
  }

  motif_record *raw() const { return raw_; }

  template <class T>
  void elements(const T *values, std::size_t count) {
    if (!values) {
      motif_null(raw_, 1);
      return;
    }
    each(values, count, std::is_arithmetic<T>());
  }

  template <class T>
  void each(const T *values, std::size_t count, std::true_type) {
    motif_values(raw_, detail::kind_of<T>(), values, sizeof(T), count);
  }
  template <class T>
  void each(const T *values, std::size_t count, std::false_type) {
    for (std::size_t i = 0; i < count && !motif_is_full(raw_); ++i) {
      motif_open_index(raw_, i);
      MOTIF::observe(*this, values[i]);
      motif_close(raw_);
    }
  }

  // Objects visited so far, so that cycles end; `which` is the number of the visited one.
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
  template <class F>
  bool guarded(F &&body);
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
  void thrown_exception(const std::exception &exception) {
#if defined(MOTIF_RTTI)
    thrown(detail::type_name(typeid(exception)));
#else
    thrown("std::exception");
#endif
    thrown_what(exception.what());
    motif_close(raw_);
  }
  // In a handler: separate from `call`, which is instantiated for each call.
  void thrown_other();
#endif

  static constexpr std::size_t kMet = 256;
  static constexpr int kDepth = 6;

  motif_record *raw_;
  const void *objects_[kMet];
  const void *types_[kMet];
  std::size_t met_ = 0;
  int depth_ = 0;
};

// ---- calling --------------------------------------------------------------------------------------------

namespace detail {

template <class R>
struct Returned {
  template <class F>
  static void run(Record &record, const char *name, F &body) {
    auto &&result = UnderTest::run(body);
    motif_leave(record.raw());
    record.output(name, result);
  }
};
template <>
struct Returned<void> {
  template <class F>
  static void run(Record &, const char *, F &body) {
    UnderTest::run(body);
  }
};

}  // namespace detail

template <class F>
bool Record::call(F &&body) {
  return guarded([&] { UnderTest::run(body); });
}

template <class F>
bool Record::guarded(F &&body) {
  motif_enter(raw_);
#if defined(MOTIF_EXCEPTIONS)
  try {
    body();
    motif_leave(raw_);
    return true;
  } catch (const std::exception &exception) {
    motif_leave(raw_);
    thrown_exception(exception);
  } catch (...) {
    motif_leave(raw_);
    thrown_other();
  }
  return false;
#else
  body();
  motif_leave(raw_);
  return true;
#endif
}

#if defined(MOTIF_EXCEPTIONS)
inline void Record::thrown_other() {
  try {
    throw;
  } catch (int value) {
    thrown_value(value);
  } catch (unsigned value) {
    thrown_value(value);
  } catch (long value) {
    thrown_value(value);
  } catch (const char *value) {
    thrown_value(value);
  } catch (const std::string &value) {
    thrown_value(value);
  } catch (...) {
    thrown(current_type());
    motif_close(raw_);
  }
}
#endif

template <class F>
bool Record::returned(const char *name, F &&body) {
  return guarded([&] { detail::Returned<decltype(body())>::run(*this, name, body); });
}

}  // namespace MOTIF

#include "motif_take.hpp"
#include "motif_observe.hpp"

#endif
