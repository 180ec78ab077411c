#include "gtest/gtest.h"

#include "clock.hpp"

TEST(Clock, StandsStill) {
  Clock clock(90);
  clock.tick(0);
  EXPECT_EQ(clock.minutes(), 90);
}
