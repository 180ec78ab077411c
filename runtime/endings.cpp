// What inputs die of: changes of a field after which the original fails or is not even called are learnt by the field
// and the magnitude of its new value, and by how it compares with other fields. Such changes are mostly taken back, so
// that most inputs return; now and then they stay, since another field may have been the reason, and because the rest of
// the domain counts too.
#include "worker.hpp"

#include <algorithm>
#include <math.h>
#include <string.h>

namespace worker {
namespace {

// Fields by their places among the others; of those, the first ones that are numbers are compared with each other.
constexpr size_t kFields = 128, kCompared = 12;
constexpr size_t kMagnitudes = 136;
// Changes that must have been seen; of so many tenths the input died; and one in so many stays all the same.
constexpr uint32_t kSeenLeast = 6, kDeadlyTenths = 7, kStaysOneIn = 12;
// Older changes count less and less.
constexpr uint32_t kSeenMost = 250;

struct Count {
  uint8_t seen, died;
  void add(bool has_died) {
    if (seen == kSeenMost) {
      seen /= 2;
      died /= 2;
    }
    ++seen;
    died = static_cast<uint8_t>(died + has_died);
  }
  bool is_deadly() const { return seen >= kSeenLeast && died * 10 >= seen * kDeadlyTenths; }
};

Count by_magnitude[kFields][kMagnitudes];
Count by_comparison[kCompared][kCompared][3];

// The input that was changed last, and its fields; the result of the change.
std::vector<uint8_t> before, after;
std::vector<motif_field> fields;
bool pending, died;
// It died itself: nothing is learnt from what becomes of it.
bool was_dead;

// Inputs that died, by their keys, and some that returned.
constexpr size_t kDead = 1 << 14, kLively = 64, kLivelyOneIn = 16;
uint64_t dead[kDead];
std::vector<std::vector<uint8_t>> lively;
uint64_t returned_so_far;

unsigned bits(uint64_t value) { return value ? 64 - static_cast<unsigned>(__builtin_clzll(value)) : 0; }

struct Number {
  bool is;
  bool has_sign;
  int64_t value;
};

bool holds(const motif_field &field, size_t size) { return field.offset + motif_extent(&field) <= size; }

Number number(const motif_field &field, const uint8_t *data) {
  if (field.width > 8 || field.width == 0) return {};
  uint64_t raw = 0;
  memcpy(&raw, data + field.offset, field.width);
  switch (field.role) {
    case MOTIF_ROLE_SIZE:
    case MOTIF_ROLE_PICK: return {true, false, static_cast<int64_t>(raw % field.count)};
    case MOTIF_ROLE_ENUM: return {true, false, static_cast<int64_t>(field.count ? raw % field.count : raw)};
    case MOTIF_ROLE_VALUE: break;
    default: return {};
  }
  const bool has_sign = field.kind == MOTIF_INT8 || field.kind == MOTIF_INT16 || field.kind == MOTIF_INT32 ||
                        field.kind == MOTIF_INT64 || field.kind == MOTIF_CHAR;
  if (!has_sign && (field.kind < MOTIF_BOOL || field.kind > MOTIF_UINT64)) return {};
  const unsigned unused = 64 - 8 * field.width;
  return {true, has_sign, has_sign ? static_cast<int64_t>(raw << unused) >> unused : static_cast<int64_t>(raw)};
}

size_t magnitude(double value) {
  if (value != value) return 0;
  size_t size = 1;
  if (std::isinf(value)) size = 2;
  else if (value != 0) size = static_cast<size_t>(std::clamp(ilogb(value) / (fabs(value) > 1 ? 1 : 4), -32, 31) + 35);
  return size + (value < 0 ? 67 : 0);
}

// By its sign and its size, a choice by its number.
size_t magnitude(const motif_field &field, const uint8_t *data) {
  const Number found = number(field, data);
  if (field.role != MOTIF_ROLE_VALUE && found.is) {
    return found.value < 64 ? static_cast<size_t>(found.value) : 64 + bits(static_cast<uint64_t>(found.value));
  }
  if (found.is) {
    const bool negative = found.has_sign && found.value < 0;
    const uint64_t size = negative ? 0 - static_cast<uint64_t>(found.value) : static_cast<uint64_t>(found.value);
    return bits(size) + (negative ? 66 : 0);
  }
  double real = 0;
  if (field.role == MOTIF_ROLE_VALUE && field.kind == MOTIF_DOUBLE && field.width == 8) {
    memcpy(&real, data + field.offset, 8);
    return magnitude(real);
  }
  if (field.role == MOTIF_ROLE_VALUE && field.kind == MOTIF_FLOAT && field.width == 4) {
    float narrow;
    memcpy(&narrow, data + field.offset, 4);
    return magnitude(static_cast<double>(narrow));
  }
  // Of what has no size, only that it was changed.
  return kMagnitudes - 1;
}

int compared(const Number &one, const Number &other) {
  if (one.has_sign || other.has_sign) return one.value < other.value ? 0 : one.value == other.value ? 1 : 2;
  const uint64_t left = static_cast<uint64_t>(one.value), right = static_cast<uint64_t>(other.value);
  return left < right ? 0 : left == right ? 1 : 2;
}

// Tells every field that was changed, with its place among all and its place among the compared ones.
template <class F>
void for_each_change(const uint8_t *data, size_t size, F tell) {
  size_t place = 0, numbers = 0;
  for (const motif_field &field : fields) {
    if (place == kFields || !holds(field, size) || !holds(field, before.size())) return;
    const bool is_number = number(field, data).is && field.role != MOTIF_ROLE_PICK && field.role != MOTIF_ROLE_ENUM;
    const size_t extent = motif_extent(&field);
    const bool is_changed = memcmp(data + field.offset, before.data() + field.offset, extent) != 0;
    if (is_changed) tell(field, place, is_number ? numbers : kCompared);
    // A size moves what follows.
    if (is_changed && field.role == MOTIF_ROLE_SIZE && size != before.size()) return;
    ++place;
    numbers += is_number && numbers < kCompared;
  }
}

// Tells how a changed number compares with the others, where that is another way than before.
template <class F>
void for_each_comparison(const motif_field &changed, size_t index, const uint8_t *data, size_t size, F tell) {
  if (index >= kCompared) return;
  const Number now = number(changed, data), was = number(changed, before.data());
  size_t numbers = 0;
  for (const motif_field &field : fields) {
    if (numbers == kCompared || !holds(field, size) || !holds(field, before.size())) return;
    if (!number(field, data).is || field.role == MOTIF_ROLE_PICK || field.role == MOTIF_ROLE_ENUM) continue;
    const int result = compared(now, number(field, data));
    if (numbers != index && result != compared(was, number(field, before.data()))) {
      tell(by_comparison[index][numbers][result]);
    }
    ++numbers;
  }
}

bool is_same(const std::vector<uint8_t> &one, const uint8_t *data, size_t size) {
  return one.size() == size && (size == 0 || memcmp(one.data(), data, size) == 0);
}

}  // namespace

size_t replace_dead(uint8_t *data, size_t size, size_t most, uint64_t random) {
  const uint64_t key = key_of(data, size);
  if (lively.empty() || dead[key % kDead] != key || (died && is_same(after, data, size))) return size;
  const std::vector<uint8_t> &other = lively[random % lively.size()];
  if (other.size() > most) return size;
  std::copy(other.begin(), other.end(), data);
  return other.size();
}

size_t start_from(uint8_t *data, size_t size, const std::vector<motif_field> &layout) {
  if (died && is_same(after, data, size) && before.size() <= size) {
    std::copy(before.begin(), before.end(), data);
    return before.size();
  }
  const uint64_t key = key_of(data, size);
  was_dead = dead[key % kDead] == key;
  before.assign(data, data + size);
  fields = layout;
  size_t whole = 0;
  for (const motif_field &field : fields) whole = std::max<size_t>(whole, field.offset + motif_extent(&field));
  // Missing bytes read as zero.
  if (before.size() < whole && whole <= 65536) before.resize(whole);
  return size;
}

void spare(uint8_t *data, size_t size, const std::function<bool(uint32_t)> &one_in) {
  if (!was_dead) for_each_change(data, size, [&](const motif_field &field, size_t place, size_t index) {
    bool is_deadly = by_magnitude[place][magnitude(field, data)].is_deadly();
    const auto look = [&](const Count &count) { is_deadly = is_deadly || count.is_deadly(); };
    for_each_comparison(field, index, data, size, look);
    if (!is_deadly || one_in(kStaysOneIn)) return;
    if (field.role == MOTIF_ROLE_SIZE && size != before.size()) return;
    memcpy(data + field.offset, before.data() + field.offset, motif_extent(&field));
  });
  after.assign(data, data + size);
  pending = true;
  died = false;
}

void note_ending(const uint8_t *data, size_t size, bool returned) {
  const uint64_t key = key_of(data, size);
  if (!returned) {
    dead[key % kDead] = key;
  } else if (returned_so_far++ % kLivelyOneIn == 0) {
    if (lively.size() < kLively) lively.emplace_back(data, data + size);
    else lively[returned_so_far / kLivelyOneIn % kLively].assign(data, data + size);
  }
  if (!pending || !is_same(after, data, size)) return;
  pending = false;
  died = !returned;
  if (was_dead) return;
  for_each_change(data, size, [&](const motif_field &field, size_t place, size_t index) {
    by_magnitude[place][magnitude(field, data)].add(died);
    for_each_comparison(field, index, data, size, [&](Count &count) { count.add(died); });
  });
}

}  // namespace worker
