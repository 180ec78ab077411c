#pragma once

#include <cstdio>

// A small framework of the project's own.
#define EXPECT_TRUE(condition) \
  if (!(condition)) std::fprintf(stderr, "failed: %s\n", #condition)
#define EXPECT_EQ(left, right) EXPECT_TRUE((left) == (right))
#define TEST(suite, name)                                   \
  struct Test_##suite##_##name {                            \
    Test_##suite##_##name() { registered_tests.add(&run); } \
    static void run();                                      \
  } instance_##suite##_##name;                              \
  void Test_##suite##_##name::run()

inline int checked(int value) {
  EXPECT_TRUE(value != 7);
  return value == 7 ? 0 : value;
}
