// An input that got further than all before was stopped by what it compared last. All that the original compared it
// with is put in its place, one after the other, so that a chain of checks (the name of a format, its version, the name
// of the first part) takes a few dozens of inputs. (REDQUEEN has this stage for each input that it keeps; that bytes
// become different first, as far as nothing depends on them, is its "colorization".)
#include "mutation.hpp"

#include <string.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace worker {
namespace {

// What is tried next, the latest at the end; and what has been tried.
std::vector<std::vector<uint8_t>> waiting;
std::unordered_set<uint64_t> tried;
std::unordered_map<uint64_t, uint8_t> followed;
constexpr size_t kWaitingMost = 1024, kTriedMost = size_t(1) << 18;
// Equal bytes may stand in many places.
constexpr size_t kPlacesOfText = 24, kPlacesOfNumber = 4;
// What so many discoveries were stopped by is left to chance.
constexpr uint8_t kFollowedMost = 8;
// So much longer may an input become.
constexpr size_t kGrowthMost = 1024;
// Few inputs follow from numbers: most are calculated.
constexpr size_t kFollowingMost = 256;
// The most runs of the original that make the bytes of one input different.
constexpr size_t kColouringMost = 24;

class Following {
 public:
  Following(const uint8_t *data, size_t size, const Layout &layout)
      : data_(data), size_(size), room_(size), layout_(layout), random_(key_of(data, size)) {
    for (const motif_field &field : layout) room_ = std::max(room_, field.offset + motif_extent(&field));
    room_ = std::min<size_t>(room_ + kGrowthMost, MOTIF_INPUT_MOST);
  }

  // The likeliest first.
  std::vector<std::vector<uint8_t>> all() {
    for (const TextComparison &text : all_texts()) {
      std::vector<uint8_t> both(text.text[0], text.text[0] + text.size[0]);
      both.push_back(0);
      both.insert(both.end(), text.text[1], text.text[1] + text.size[1]);
      follow(both, [&] {
        for (size_t from = 0; from < 2; ++from) {
          each(kPlacesOfText, [&](AsCompared &input, size_t nth) { return input.text_becomes(text, from, nth); });
        }
      });
    }
    for (const Comparison &it : all_comparisons()) {
      std::vector<uint8_t> both(2 * sizeof it.seen + 1, static_cast<uint8_t>(it.width));
      memcpy(both.data(), &it.seen, sizeof it.seen);
      memcpy(both.data() + sizeof it.seen, &it.wanted, sizeof it.wanted);
      follow(both, [&] {
        each(1, [&](AsCompared &input, size_t) { return input.length_becomes(it); });
        if (it.width == 1) {
          const uint8_t seen = static_cast<uint8_t>(it.seen), wanted = static_cast<uint8_t>(it.wanted);
          each(kPlacesOfNumber, [&](AsCompared &input, size_t nth) { return input.letter_becomes(seen, wanted, nth); });
        } else {
          numbers(it);
        }
      });
    }
    return std::move(found_);
  }

 private:
  // Follows a comparison, unless enough discoveries were stopped by it.
  template <class All>
  void follow(const std::vector<uint8_t> &both, All all) {
    uint8_t &times = followed[key_of(both.data(), both.size())];
    const size_t before = found_.size();
    if (times < kFollowedMost) all();
    times = static_cast<uint8_t>(times + (found_.size() > before));
  }

  void numbers(Comparison it) {
    for (;; it.width /= 2) {
      for (const bool highest_first : {false, true}) {
        each(kPlacesOfNumber,
             [&](AsCompared &input, size_t nth) { return input.number_becomes(it, highest_first, nth); });
      }
      if (!AsCompared::is_narrower(it)) return;
    }
  }

  // What the change makes of the input at each of the places, until it finds none.
  template <class Change>
  void each(size_t places, Change change) {
    for (size_t nth = 0; nth < places && found_.size() < kFollowingMost; ++nth) {
      input_.assign(data_, data_ + size_);
      input_.resize(room_);
      AsCompared input(input_.data(), size_, input_.size(), layout_, random_);
      input.complete();
      if (!change(input, nth)) return;
      if (tried.count(key_of(input_.data(), input.size()))) continue;
      found_.emplace_back(input_.begin(), input_.begin() + static_cast<ptrdiff_t>(input.size()));
    }
  }

  const uint8_t *const data_;
  const size_t size_;
  // Of an input with a longer text or array.
  size_t room_;
  const Layout &layout_;
  Random random_;
  std::vector<uint8_t> input_;
  std::vector<std::vector<uint8_t>> found_;
};

// Whether the bytes of one text that was compared stand in so many places that trying each would take long.
bool is_ambiguous(const uint8_t *data, size_t size) {
  const auto is_so = [&](const uint8_t *text, size_t length) {
    size_t places = 0;
    const uint8_t *const end = data + size;
    for (const uint8_t *at = data; length > 1 && places <= kPlacesOfText / 8; ++at, ++places) {
      at = std::search(at, end, text, text + length);
      if (at == end) return false;
    }
    return places > kPlacesOfText / 8;
  };
  const std::vector<TextComparison> texts = all_texts();
  return std::any_of(texts.begin(), texts.end(), [&](const TextComparison &it) {
    return is_so(it.text[0], it.size[0]) || is_so(it.text[1], it.size[1]);
  });
}

}  // namespace

std::vector<uint8_t> coloured(const uint8_t *data, size_t size, const motif_field *fields, uint32_t count,
                              const std::function<bool(const std::vector<uint8_t> &)> &does_the_same) {
  std::vector<uint8_t> input(data, data + size);
  if (!is_ambiguous(data, size)) return input;
  std::vector<std::pair<size_t, size_t>> ranges;
  for (uint32_t i = 0; i < count; ++i) {
    const size_t end = std::min<size_t>(size, fields[i].offset + motif_extent(&fields[i]));
    const bool is_bytes = fields[i].role == MOTIF_ROLE_ARRAY && fields[i].width == 1 && fields[i].kind != MOTIF_BOOL;
    if (is_bytes && fields[i].offset + 3 < end) ranges.push_back({fields[i].offset, end});
  }
  Random random(key_of(data, size));
  const auto longest = [](const auto &one, const auto &other) {
    return one.second - one.first < other.second - other.first;
  };
  for (size_t runs = 0; runs < kColouringMost && !ranges.empty(); ++runs) {
    const auto at = std::max_element(ranges.begin(), ranges.end(), longest);
    const auto [from, to] = *at;
    ranges.erase(at);
    std::vector<uint8_t> changed = input;
    for (size_t i = from; i < to; ++i) changed[i] = static_cast<uint8_t>('0' + random.below(75));
    if (does_the_same(changed)) {
      input = changed;
    } else if (to - from > 1) {
      const size_t middle = from + (to - from) / 2;
      ranges.push_back({from, middle});
      ranges.push_back({middle, to});
    }
  }
  return input;
}

void follow_comparisons(const uint8_t *data, size_t size, const motif_field *fields, uint32_t count) {
  if (tried.size() + followed.size() > kTriedMost) {
    tried.clear();
    followed.clear();
  }
  const Layout layout(fields, fields + count);
  std::vector<std::vector<uint8_t>> found = Following(data, size, layout).all();
  std::reverse(found.begin(), found.end());
  std::move(found.begin(), found.end(), std::back_inserter(waiting));
  if (waiting.size() > kWaitingMost) waiting.erase(waiting.begin(), waiting.end() - kWaitingMost);
}

bool next_following(size_t most, std::vector<uint8_t> *input) {
  while (!waiting.empty()) {
    *input = std::move(waiting.back());
    waiting.pop_back();
    if (input->size() <= most && tried.insert(key_of(input->data(), input->size())).second) return true;
  }
  return false;
}

}  // namespace worker
