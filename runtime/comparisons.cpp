// What the original has compared with something else in its last run (in this process, not in a child), so that
// mutations can give it what it looked for: code that reads a text character by character is got through one character
// at a time, code that looks for a number at the beginning of its bytes finds it, and neither by chance
// ("input-to-state correspondence", Aschermann et al., REDQUEEN, NDSS 2019, here without a trace of its own).
#include "worker.hpp"

#include <algorithm>

extern "C" {
// libFuzzer's.
void __sanitizer_cov_trace_cmp1(uint8_t, uint8_t);
void __sanitizer_cov_trace_const_cmp1(uint8_t, uint8_t);
void __sanitizer_cov_trace_cmp2(uint16_t, uint16_t);
void __sanitizer_cov_trace_const_cmp2(uint16_t, uint16_t);
void __sanitizer_cov_trace_cmp4(uint32_t, uint32_t);
void __sanitizer_cov_trace_const_cmp4(uint32_t, uint32_t);
void __sanitizer_cov_trace_cmp8(uint64_t, uint64_t);
void __sanitizer_cov_trace_const_cmp8(uint64_t, uint64_t);
void __sanitizer_cov_trace_switch(uint64_t, uint64_t *);
}

namespace worker {
namespace {

// The last ones of a run: what it failed at is near its end.
constexpr uint32_t kKept = 64;
Comparison kept[kKept];
uint32_t count = 0;

struct Switched {
  uint8_t seen;
  const uint64_t *cases;  // how many there are, how wide they are, and the cases
};
Switched switched[kKept];
uint32_t switches = 0;
bool ignored = false, listening = false;

// Whether a number may be where this process has something, which no test and no other process has there.
inline bool is_address(uint64_t number) {
  constexpr unsigned kLeastBits = 40, kAddressBits = 47;
  return number >> kAddressBits == 0 && number >> kLeastBits != 0;
}

// A character is compared as one byte, or as an `int`; what is wider than a byte is a number.
template <typename Number>
inline void note(Number wanted, Number seen) {
  if (!listening || wanted == seen) return;
  // (A letter is no end of a file.)
  const Number least = wanted < seen ? wanted : seen, most = wanted < seen ? seen : wanted;
  if (sizeof(Number) == 4 && least <= 0xff && most == static_cast<Number>(-1)) return;
  if (most > 0xff) {
    kept[count++ % kKept] = {seen, wanted, sizeof(Number)};
  } else if (wanted != 0 && (sizeof(Number) == 1 || sizeof(Number) == 4)) {
    kept[count++ % kKept] = {seen, wanted, 1};
  }
}

template <typename Number>
inline void note_both(Number one, Number other) {
  note(one, other);
  note(other, one);
}

// One of the last, the later the likelier.
uint32_t late(uint32_t all, const std::function<size_t(size_t)> &below) {
  const size_t there = all < kKept ? all : kKept;
  return static_cast<uint32_t>((all - 1 - below(below(there) + 1)) % kKept);
}

}  // namespace

void ignore_comparisons() { ignored = true; }

void forget_comparisons() {
  count = switches = 0;
  listening = !ignored;
  forget_texts(listening);
}

void keep_comparisons() {
  listening = false;
  keep_texts();
}

bool some_comparison(const std::function<size_t(size_t)> &below, Comparison *found) {
  if (switches != 0 && (count == 0 || below(3) == 0)) {
    const Switched &one = switched[late(switches, below)];
    const uint64_t value = one.cases[2 + below(one.cases[0])];
    if (value - 1 > 0xfe) return false;
    *found = {one.seen, value, 1};
    return true;
  }
  if (count == 0) return false;
  *found = kept[late(count, below)];
  return true;
}

std::vector<Comparison> all_comparisons() {
  constexpr uint64_t kCases = 16;
  std::vector<Comparison> all;
  const auto add = [&](const Comparison &it) {
    const auto is_it = [&](const Comparison &other) {
      return it.seen == other.seen && it.wanted == other.wanted && it.width == other.width;
    };
    if (std::none_of(all.begin(), all.end(), is_it)) all.push_back(it);
  };
  for (uint32_t i = 0; i < std::min(count, kKept); ++i) {
    const Comparison &it = kept[(count - 1 - i) % kKept];
    if (it.width < 8 || !is_address(it.wanted)) add(it);
  }
  for (uint32_t i = 0; i < std::min(switches, kKept); ++i) {
    const Switched &one = switched[(switches - 1 - i) % kKept];
    for (uint64_t n = 0; n < std::min(one.cases[0], kCases); ++n) {
      if (one.cases[2 + n] - 1 <= 0xfe) add({one.seen, one.cases[2 + n], 1});
    }
  }
  return all;
}

}  // namespace worker

// The units' shared objects are linked with `--wrap` for these. A tail call, since libFuzzer tells comparisons apart by
// who called.
#define MOTIF_TRACED extern "C" __attribute__((visibility("default"))) void

#define MOTIF_COMPARISON(name, type, note)                                \
  MOTIF_TRACED __wrap___sanitizer_cov_trace_##name(type one, type other) { \
    worker::note(one, other);                                             \
    [[clang::musttail]] return __sanitizer_cov_trace_##name(one, other);  \
  }
MOTIF_COMPARISON(cmp1, uint8_t, note_both)
MOTIF_COMPARISON(const_cmp1, uint8_t, note)
MOTIF_COMPARISON(cmp2, uint16_t, note_both)
MOTIF_COMPARISON(const_cmp2, uint16_t, note)
MOTIF_COMPARISON(cmp4, uint32_t, note_both)
MOTIF_COMPARISON(const_cmp4, uint32_t, note)
MOTIF_COMPARISON(cmp8, uint64_t, note_both)
MOTIF_COMPARISON(const_cmp8, uint64_t, note)

MOTIF_TRACED __wrap___sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) {
  if (worker::listening && value <= 0xff && cases[0] != 0) {
    worker::switched[worker::switches++ % worker::kKept] = {static_cast<uint8_t>(value), cases};
  }
  [[clang::musttail]] return __sanitizer_cov_trace_switch(value, cases);
}
