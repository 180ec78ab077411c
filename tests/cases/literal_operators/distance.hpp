#pragma once
#include <cstddef>

namespace distance {

// Metres, or a text of steps.
class Way {
 public:
  explicit Way(long metres) : metres_(metres) {}
  static Way of_steps(const char *steps, std::size_t count) { return Way(turns(steps, count) * 3); }
  long metres() const { return metres_; }

 private:
  static long turns(const char *steps, std::size_t count) {
    long turns = 0;
    for (std::size_t at = 0; at < count; ++at) {
      if (steps[at] == 'l' || steps[at] == 'r') ++turns;
    }
    return turns;
  }
  long metres_;
};

Way operator""_km(unsigned long long kilometres);

inline Way operator""_steps(const char *steps, std::size_t count) { return Way::of_steps(steps, count); }

}  // namespace distance
