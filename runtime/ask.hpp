#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <type_traits>

// How a program tells what objects answer.
namespace MOTIF_ASK {

inline void bytes(const void *from, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) std::printf("%02x", static_cast<const unsigned char *>(from)[i]);
}

inline void say_text(int number, const char *text, std::size_t size) {
  std::printf("MOTIF %d text ", number);
  bytes(text, size);
  std::printf("\n");
}

inline void say(int number, const char *text) {
  if (!text) {
    std::printf("MOTIF %d null\n", number);
  } else {
    say_text(number, text, std::strlen(text));
  }
}

template <class T>
typename std::enable_if<std::is_enum<T>::value || std::is_integral<T>::value>::type say(int number, T value) {
  std::printf("MOTIF %d value integer ", number);
  bytes(&value, sizeof value);
  const long long wide = static_cast<long long>(value);
  if (wide < 0 && (std::is_unsigned<T>::value)) {
    std::printf(" %llu -\n", static_cast<unsigned long long>(value));
  } else {
    std::printf(" %lld -\n", wide);
  }
}

template <class T>
typename std::enable_if<std::is_floating_point<T>::value>::type say(int number, T value) {
  const char *kind = sizeof(T) == sizeof(float) ? "float" : sizeof(T) == sizeof(double) ? "double" : "long_double";
  std::printf("MOTIF %d value %s ", number, kind);
  bytes(&value, sizeof value);
  std::printf(" %.21Lg %La\n", static_cast<long double>(value), static_cast<long double>(value));
}

template <class T>
auto say(int number, const T &text) -> decltype(static_cast<void>(text.data()), static_cast<void>(text.size())) {
  say_text(number, text.data(), text.size());
}

inline void say(int number, const void *pointer) {
  std::printf("MOTIF %d %s\n", number, pointer ? "object" : "null");
}

// Without an object there is nobody to ask.
inline void need(bool is_there) {
  if (!is_there) std::exit(1);
}

// The number of the call that comes before the questions; none is 0.
inline int &further() {
  static int number = 0;
  return number;
}

// The first question that is asked: those before it have been, and the last of them was never answered.
inline int &first() {
  static int number = 0;
  return number;
}

template <class F>
void ask(int number, F question) {
  if (number < first()) return;
  std::printf("MOTIF %d asked\n", number);
  std::fflush(stdout);
  try {
    question();
  } catch (...) {
  }
  std::fflush(stdout);
}

}  // namespace MOTIF_ASK
