// Alternatives that always fail: for instance a set-up call that never returns. A driver offers many alternatives,
// and an input with a hanging one costs as much as thousands of others.
#include "worker.hpp"

#include <string.h>
#include <sys/mman.h>

namespace worker {
namespace {

// An alternative is avoided after this many failures, if seven of eight of its runs fail. Then one run in this many
// is let through: an earlier step may have been the reason.
constexpr uint32_t kFailsLeast = 4;
constexpr uint32_t kOneOf = 32;
// An alternative that hung (a call that allocates as much as it is told) is tried again after this many inputs, and
// after four times as many each further time.
constexpr uint64_t kInputsAHang = 500;
constexpr size_t kRoom = 1024;

struct Alternative {
  const void *place;
  size_t value;
  uint32_t tries, fails, avoided, hangs;
};

// Shared with the children that run sides.
struct Table {
  Alternative all[kRoom];
  Alternative *last;
  uint64_t inputs;
  bool watching;
};

Table *table;

Alternative *find(const void *place, size_t value) {
  size_t at = (reinterpret_cast<uintptr_t>(place) * 31 + value) * 0x9e3779b97f4a7c15ull >> 54;
  for (size_t i = 0; i < kRoom; ++i, at = (at + 1) % kRoom) {
    Alternative &one = table->all[at];
    if (!one.place) {
      one.place = place;
      one.value = value;
    }
    if (one.place == place && one.value == value) return &one;
  }
  return nullptr;
}

void chosen(const void *place, size_t value) {
  if (!table->watching) return;
  Alternative *const one = find(place, value);
  table->last = one;
  if (!one) return;
  const uint32_t doublings = one->hangs < 20 ? 2 * one->hangs : 40;
  if (one->hangs > 0 && kInputsAHang << (doublings - 2) > table->inputs) leave(kAvoided, 0);
  if (one->fails >= kFailsLeast && one->fails * 8 >= one->tries * 7 && ++one->avoided % kOneOf != 0) {
    leave(kAvoided, 0);
  }
  ++one->tries;
}

}  // namespace

void watch_choices(motif_input &in) {
  if (!table) {
    void *memory = mmap(nullptr, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("no memory");
    table = static_cast<Table *>(memory);
    ignore_memory(table, sizeof *table);
  }
  in.chosen = chosen;
}

void mind_choices(bool watching) {
  table->watching = watching;
  table->inputs += watching;
  if (watching) table->last = nullptr;
}

void choice_failed(bool hung) {
  if (!table->last) return;
  ++table->last->fails;
  table->last->hangs += hung;
}

}  // namespace worker
