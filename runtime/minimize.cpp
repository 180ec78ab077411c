// Minimises inputs that distinguish mutants from the original: a test spells out every value.
#include "worker.hpp"

#include <string.h>
#include <algorithm>

namespace worker {
namespace {

// The width of values whose places are unknown.
constexpr size_t kUsualWidth = 8;

struct Span {
  size_t from, to;
};

bool same(const std::vector<motif_field> &one, const std::vector<motif_field> &other) {
  return one.size() == other.size() &&
         (one.empty() || memcmp(one.data(), other.data(), one.size() * sizeof one[0]) == 0);
}

class Plain {
 public:
  Plain(std::vector<uint8_t> &input, Trial &trial) : input_(input), trial_(trial) {}
  void make();

 private:
  bool differ() { return trial_.differ(input_.data(), input_.size()); }
  std::vector<Span> spans() const;
  bool put_noughts();
  void put_ones();
  bool put(size_t at, const std::vector<uint8_t> &values);

  std::vector<uint8_t> &input_;
  Trial &trial_;
};

// The places of the values that the original read, one by one, and of the rest.
std::vector<Span> Plain::spans() const {
  std::vector<Span> found;
  size_t end = 0;
  const auto add = [&](size_t to, size_t width) {
    to = std::min(to, input_.size());
    for (; end < to; end = found.back().to) found.push_back({end, std::min(end + width, to)});
  };
  for (const motif_field &field : trial_.layout) {
    const size_t size = motif_extent(&field);
    end = field.offset;
    if (size) add(end + size, field.role == MOTIF_ROLE_ARRAY ? field.width : size);
  }
  // The rest was not read, or too much was read to record all places.
  add(input_.size(), trial_.layout.size() == MOTIF_FIELDS_MOST ? kUsualWidth : input_.size());
  return found;
}

// Replaces values if all mutants still differ.
bool Plain::put(size_t at, const std::vector<uint8_t> &values) {
  const auto place = input_.begin() + static_cast<ptrdiff_t>(at);
  if (std::equal(values.begin(), values.end(), place)) return false;
  const std::vector<uint8_t> before(place, place + static_cast<ptrdiff_t>(values.size()));
  std::copy(values.begin(), values.end(), place);
  if (differ()) return true;
  std::copy(before.begin(), before.end(), place);
  return false;
}

// Replaces values by zeros, larger ranges first. Returns whether any were replaced.
bool Plain::put_noughts() {
  const std::vector<Span> all = spans();
  bool changed = false;
  for (size_t step = all.size(); step > 0; step /= 2) {
    for (size_t at = 0; at < all.size() && trial_.goes_on(); at += step) {
      const size_t from = all[at].from, to = all[std::min(at + step, all.size()) - 1].to;
      changed |= put(from, std::vector<uint8_t>(to - from));
    }
  }
  return changed;
}

// Replaces numbers that cannot be zero by one.
void Plain::put_ones() {
  const std::vector<motif_field> layout = trial_.layout;
  for (const motif_field &field : layout) {
    std::vector<uint8_t> one(field.width);
    const double as_double = 1;
    const float as_float = 1;
    if (field.kind == MOTIF_DOUBLE) {
      memcpy(one.data(), &as_double, sizeof as_double);
    } else if (field.kind == MOTIF_FLOAT) {
      memcpy(one.data(), &as_float, sizeof as_float);
    } else if (field.kind <= MOTIF_UINT64 && !one.empty()) {
      one[0] = 1;
    } else {
      continue;
    }
    if (field.role != MOTIF_ROLE_VALUE || field.count != 1 || field.offset + field.width > input_.size()) continue;
    const auto at = input_.begin() + static_cast<ptrdiff_t>(field.offset);
    const bool is_nought = std::all_of(at, at + field.width, [](uint8_t byte) { return byte == 0; });
    if (!is_nought && trial_.goes_on()) put(field.offset, one);
  }
}

void Plain::make() {
  bool differs = differ();
  for (bool anew = true; anew && differs && trial_.goes_on();) {
    const std::vector<motif_field> before = trial_.layout;
    const bool changed = put_noughts();
    differs = differ();
    // After a size became zero, other values are at these places.
    anew = changed && !same(before, trial_.layout);
  }
  if (differs) put_ones();
  while (!input_.empty() && input_.back() == 0) input_.pop_back();
}

}  // namespace

std::vector<uint8_t> make_plain(std::vector<uint8_t> input, Trial &trial) {
  Plain(input, trial).make();
  return input;
}

}  // namespace worker
