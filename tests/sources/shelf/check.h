// What a framework's macros come to, as far as matters here.
#pragma once

#include <cstdlib>
#include <functional>
#include <vector>

inline std::vector<std::function<void()>> &tests() {
  static std::vector<std::function<void()>> all;
  return all;
}

struct Registered {
  explicit Registered(std::function<void()> run) { tests().push_back(std::move(run)); }
};

struct Verdict {
  bool fine;
  explicit operator bool() const { return fine; }
};

template <typename A, typename B>
Verdict same(const A &expected, const B &actual) {
  return Verdict{expected == actual};
}

#define TEST(suite, name)                                                                   \
  struct suite##_##name##_Test {                                                            \
    void TestBody();                                                                        \
  };                                                                                        \
  static const Registered suite##_##name##_registered([] { suite##_##name##_Test().TestBody(); }); \
  void suite##_##name##_Test::TestBody()

#define EXPECT_EQ(expected, actual)                        \
  switch (0)                                               \
  case 0:                                                  \
  default:                                                 \
    if (const Verdict verdict = same(expected, actual)) {  \
    } else                                                 \
      std::abort()
