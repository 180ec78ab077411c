// Bytes that the original has compared with others in its last run (in this process, not in a child), so that mutations can give it what it looked for:
// code that reads a text character by character is got through one character at a time, and not by chance
// ("input-to-state correspondence", Aschermann et al., REDQUEEN, NDSS 2019, here without a trace of its own).
#include "worker.hpp"

extern "C" {
// libFuzzer's.
void __sanitizer_cov_trace_cmp1(uint8_t, uint8_t);
void __sanitizer_cov_trace_const_cmp1(uint8_t, uint8_t);
void __sanitizer_cov_trace_cmp4(uint32_t, uint32_t);
void __sanitizer_cov_trace_const_cmp4(uint32_t, uint32_t);
void __sanitizer_cov_trace_switch(uint64_t, uint64_t *);
}

namespace worker {
namespace {

struct Compared {
  uint8_t seen, wanted;
};
// The last ones of a run: what it failed at is near its end.
constexpr uint32_t kKept = 64;
Compared kept[kKept];
uint32_t count = 0;

struct Switched {
  uint8_t seen;
  const uint64_t *cases;  // how many there are, how wide they are, and the cases
};
Switched switched[kKept];
uint32_t switches = 0;
bool ignored = false, listening = false;

// A character is compared as one byte, or as an `int`.
inline void note(uint64_t wanted, uint64_t seen) {
  if (!listening || wanted == seen || wanted - 1 > 0xfe || seen > 0xff) return;
  kept[count++ % kKept] = {static_cast<uint8_t>(seen), static_cast<uint8_t>(wanted)};
}

inline void note_both(uint64_t one, uint64_t other) {
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
}

void keep_comparisons() { listening = false; }

bool some_comparison(const std::function<size_t(size_t)> &below, uint8_t *seen, uint8_t *wanted) {
  if (switches != 0 && (count == 0 || below(3) == 0)) {
    const Switched &one = switched[late(switches, below)];
    const uint64_t value = one.cases[2 + below(one.cases[0])];
    if (value - 1 > 0xfe) return false;
    *seen = one.seen;
    *wanted = static_cast<uint8_t>(value);
    return true;
  }
  if (count == 0) return false;
  const Compared &one = kept[late(count, below)];
  *seen = one.seen;
  *wanted = one.wanted;
  return true;
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
MOTIF_COMPARISON(cmp4, uint32_t, note_both)
MOTIF_COMPARISON(const_cmp4, uint32_t, note)

MOTIF_TRACED __wrap___sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) {
  if (worker::listening && value <= 0xff && cases[0] != 0) {
    worker::switched[worker::switches++ % worker::kKept] = {static_cast<uint8_t>(value), cases};
  }
  [[clang::musttail]] return __sanitizer_cov_trace_switch(value, cases);
}
