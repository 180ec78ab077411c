// Mutations that know the types: an input is a sequence of typed fields, as the original read them last time.
#include "mutation.hpp"

#include <algorithm>
#include <ctype.h>
#include <limits>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

namespace worker {
namespace {

// Literals of the unit.
std::vector<int64_t> integers;
std::vector<double> reals;
std::vector<std::string> texts;

}  // namespace

uint8_t some_char(Random &random) {
  static const char likely[] = "0123456789abcdefABCDEFxX+-.eE \t\n,:;/\\<>&\"'()[]{}=_#%!?*^|@~$";
  if (random.one_in(16)) return static_cast<uint8_t>(random.next());
  return random.one_in(2) ? static_cast<uint8_t>(likely[random.below(sizeof likely - 1)])
                          : static_cast<uint8_t>(' ' + random.below(95));
}

void Fields::complete() {
  size_t whole = 0;
  for (const motif_field &field : layout_) whole = std::max(whole, field.offset + motif_extent(&field));
  whole = std::min(whole, most_);
  if (size_ >= whole) return;
  memset(data_ + size_, 0, whole - size_);
  size_ = whole;
}

bool Fields::is_text(const motif_field &field) {
  return field.role == MOTIF_ROLE_CSTRING ||
         (field.role == MOTIF_ROLE_ARRAY && field.width == 1 && field.kind != MOTIF_BOOL);
}

bool Fields::is_value(const motif_field &field) {
  return field.role == MOTIF_ROLE_VALUE || field.role == MOTIF_ROLE_ARRAY;
}

void Fields::set_size(const motif_field &field, uint64_t now, uint64_t next) {
  memcpy(data_ + field.offset, &next, field.width);
  const motif_field *behind = nullptr;
  for (const motif_field &other : layout_) {
    if (&other > &field) {
      behind = &other;
      break;
    }
  }
  if (!behind || behind->role != MOTIF_ROLE_ARRAY || next == now) return;
  const size_t end = behind->offset + size_t(behind->count) * behind->width;
  if (next > now && (next - now) < 64 && end <= size_) {
    const size_t more = std::min<size_t>((next - now) * behind->width, most_ - size_);
    memmove(data_ + end + more, data_ + end, size_ - end);
    for (size_t i = 0; i < more; ++i) {
      data_[end + i] = behind->kind == MOTIF_CHAR ? some_char(random_) : uint8_t(random_.next());
    }
    size_ += more;
  } else if (next < now && end <= size_) {
    const size_t less = std::min<size_t>((now - next) * behind->width, size_t(behind->count) * behind->width);
    memmove(data_ + end - less, data_ + end, size_ - end);
    size_ -= less;
  }
  moved_ = true;
}

void Fields::insert(size_t at, size_t count) {
  memmove(data_ + at + count, data_ + at, size_ - at);
  size_ += count;
  moved_ = true;
}

uint64_t key_of(const uint8_t *data, size_t size) {
  uint64_t hash = 0x9e3779b97f4a7c15u ^ size;
  size_t at = 0;
  for (; at + 8 <= size; at += 8) {
    uint64_t word;
    memcpy(&word, data + at, 8);
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  for (; at < size; ++at) hash = (hash ^ data[at]) * 0x100000001b3u;
  return hash ^ hash >> 29;
}

namespace {

// Layouts by input. As long as all inputs share one, only one is kept.
constexpr size_t kLayouts = 4096;
struct Kept {
  uint64_t key = 0;
  Layout layout;
};
Kept kept[kLayouts];
Layout latest;
bool one_layout = true;
// Off only for measuring.
bool typed = true;
// Inputs on which the original hung. Counting up to a number takes longer the larger it is; one such input costs as
// much as ten thousand others.
size_t hung = 0;
// Those on which it asked for too much memory.
size_t too_large = 0;
// After the first hang, a changed number stays large once in this many times.
constexpr size_t kLargeOneIn = 4;
constexpr size_t kHungMost = 12;
constexpr size_t kTooLargeMost = 3;
constexpr double kSmallReal = 1024;
constexpr int64_t kSmallInteger = 4096;

// The input that the original has run on last.
std::vector<uint8_t> ran;

template <class T>
T load_as(const uint8_t *at) {
  T value;
  memcpy(&value, at, sizeof value);
  return value;
}

int64_t some_integer(Random &random) {
  if (!integers.empty() && random.one_in(2)) return integers[random.below(integers.size())];
  switch (random.below(6)) {
    case 0: return static_cast<int64_t>(random.below(33)) - 16;
    case 1: return int64_t(uint64_t(1) << random.below(64));
    case 2: return int64_t((uint64_t(1) << random.below(64)) - 1);
    case 3: return -int64_t(uint64_t(1) << random.below(63));
    case 4: return static_cast<int64_t>(random.below(2001)) - 1000;
    default: return static_cast<int64_t>(random.next());
  }
}

// Floating-point numbers by their bits: `Bits` is as wide as `Real`.
template <class Real, class Bits>
Real some_real(Random &random, Real now) {
  constexpr int kMantissa = std::numeric_limits<Real>::digits - 1;
  constexpr int kWidth = sizeof(Real) * 8;
  constexpr Bits kSign = Bits(1) << (kWidth - 1);
  constexpr Bits kFraction = (Bits(1) << kMantissa) - 1;
  constexpr Bits kExponent = static_cast<Bits>(~(kSign | kFraction));
  Bits bits;
  memcpy(&bits, &now, sizeof bits);
  const auto from_bits = [](Bits value) {
    Real real;
    memcpy(&real, &value, sizeof real);
    return real;
  };
  switch (random.below(20)) {
    case 0: return from_bits(bits + 1);
    case 1: return from_bits(bits - 1);
    case 2: return from_bits(bits ^ kSign);
    case 3: return from_bits((bits & ~kExponent) | (static_cast<Bits>(random.next()) & kExponent));
    case 4: return from_bits(bits + (static_cast<Bits>(random.below(9)) - 4) * (kFraction + 1));
    case 5: {
      const Real special[] = {Real(0), -Real(0), Real(1), -Real(1), std::numeric_limits<Real>::infinity(),
                              -std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::quiet_NaN(),
                              std::numeric_limits<Real>::denorm_min(), std::numeric_limits<Real>::min(),
                              std::numeric_limits<Real>::max(), -std::numeric_limits<Real>::max(),
                              std::numeric_limits<Real>::epsilon(), Real(0.5), Real(2)};
      return special[random.below(sizeof special / sizeof *special)];
    }
    case 6:
    case 7:
    case 8: {
      // A literal and its neighbours.
      if (reals.empty()) return static_cast<Real>(some_integer(random));
      Real real = static_cast<Real>(reals[random.below(reals.size())]);
      memcpy(&bits, &real, sizeof bits);
      switch (random.below(8)) {
        case 0: return from_bits(bits + 1);
        case 1: return from_bits(bits - 1);
        case 2: return from_bits(bits ^ kSign);
        case 3: return real * Real(random.unit() * 2);
        case 4: return real + Real(random.unit() * 2 - 1);
        default: return real;
      }
    }
    case 9:
    case 10: {
      // An integer literal as a word of the number, as code that inspects bits compares it.
      const uint32_t word = static_cast<uint32_t>(some_integer(random)) + static_cast<uint32_t>(random.below(3)) - 1;
      if (kWidth == 32) return from_bits(static_cast<Bits>(word));
      const uint64_t whole = static_cast<uint64_t>(bits);
      const uint64_t noise = random.one_in(2) ? random.next() : random.one_in(2) ? 0 : whole;
      return from_bits(static_cast<Bits>(random.one_in(4) ? (noise & 0xffffffff00000000u) | word
                                                          : (uint64_t(word) << 32) | (noise & 0xffffffffu)));
    }
    case 11: return static_cast<Real>(some_integer(random));
    case 12: return static_cast<Real>(static_cast<int>(random.below(41)) - 20) / 2;
    case 13:
    case 14:
    case 15: return static_cast<Real>(random.unit() * 20 - 10);
    case 16: return static_cast<Real>(ldexp(random.unit() * 2 - 1, static_cast<int>(random.below(2200)) - 1100));
    case 17: return from_bits(bits ^ Bits(1) << random.below(kWidth));
    case 18:
      return now + now * static_cast<Real>(
                       ldexp(random.unit() * 2 - 1, -static_cast<int>(random.below(kWidth == 32 ? 24 : 53))));
    default: return from_bits(static_cast<Bits>(random.next()));
  }
}

void change_integer(Random &random, uint8_t *at, size_t width) {
  uint64_t now = 0;
  memcpy(&now, at, std::min<size_t>(width, 8));
  const unsigned bits = static_cast<unsigned>(std::min<size_t>(width, 8) * 8);
  switch (random.below(10)) {
    case 0: ++now; break;
    case 1: --now; break;
    case 2: now = 0 - now; break;
    case 3: now ^= uint64_t(1) << random.below(bits); break;
    case 4: now = uint64_t(1) << (bits - 1); break;
    case 5: now = (uint64_t(1) << (bits - 1)) - 1; break;
    case 6: {
      // A step of any size: to approach a value, steps must become small.
      const uint64_t step = random.next() >> (63 - random.below(bits));
      now += random.one_in(2) ? step : 0 - step;
      break;
    }
    case 7: now = static_cast<uint64_t>(some_integer(random)) + random.below(3) - 1; break;
    case 8: now = random.below(256); break;
    default: now = static_cast<uint64_t>(some_integer(random)); break;
  }
  memcpy(at, &now, std::min<size_t>(width, 8));
  // The upper half of a wide integer is mostly the sign.
  if (width > 8) {
    memset(at + 8, random.one_in(4) ? static_cast<int>(random.below(256)) : now >> 63 ? 0xff : 0, width - 8);
  }
}

// Whether the number is a literal or next to one: the unit compares with it, so its size does not matter.
bool is_literal(int64_t value) {
  return std::any_of(integers.begin(), integers.end(), [value](int64_t known) {
    const uint64_t apart = static_cast<uint64_t>(value) - static_cast<uint64_t>(known);
    return apart + 1 <= 2;
  });
}

bool is_literal(double value) {
  return std::find(reals.begin(), reals.end(), value) != reals.end() ||
         std::find(reals.begin(), reals.end(), -value) != reals.end();
}

// A small number with the same digits.
void make_small(Random &random, uint8_t *at, motif_kind kind, size_t width) {
  const auto small = [&random](double value) {
    if (!(fabs(value) > kSmallReal) || is_literal(value)) return value;
    int exponent = 0;
    const double digits = value - value != 0 ? random.unit() : frexp(value, &exponent);
    return ldexp(digits, static_cast<int>(random.below(11)));
  };
  if (kind == MOTIF_FLOAT && width == 4) {
    const float value = static_cast<float>(small(static_cast<double>(load_as<float>(at))));
    memcpy(at, &value, 4);
  } else if (kind == MOTIF_DOUBLE && width == 8) {
    const double value = small(load_as<double>(at));
    memcpy(at, &value, 8);
  } else if (kind >= MOTIF_INT16 && kind <= MOTIF_UINT64 && width <= 8) {
    uint64_t bits = 0;
    memcpy(&bits, at, width);
    const bool has_sign = kind == MOTIF_INT16 || kind == MOTIF_INT32 || kind == MOTIF_INT64;
    const unsigned unused = static_cast<unsigned>(64 - width * 8);
    const int64_t value = static_cast<int64_t>(bits << unused) >> unused;
    if (is_literal(has_sign ? value : static_cast<int64_t>(bits))) return;
    bits = has_sign ? static_cast<uint64_t>(value % kSmallInteger) : bits % static_cast<uint64_t>(kSmallInteger);
    memcpy(at, &bits, width);
  }
}

void change_value_freely(Random &random, uint8_t *at, motif_kind kind, size_t width) {
  if (kind == MOTIF_FLOAT && width == 4) {
    const float value = some_real<float, uint32_t>(random, load_as<float>(at));
    memcpy(at, &value, 4);
  } else if (kind == MOTIF_DOUBLE && width == 8) {
    const double value = some_real<double, uint64_t>(random, load_as<double>(at));
    memcpy(at, &value, 8);
  } else if (kind == MOTIF_LONG_DOUBLE && width == sizeof(long double)) {
    long double value = load_as<long double>(at);
    switch (random.below(4)) {
      case 0: value = nextafterl(value, random.one_in(2) ? INFINITY : -INFINITY); break;
      case 1: value = -value; break;
      default: value = some_real<double, uint64_t>(random, static_cast<double>(value)); break;
    }
    memset(at, 0, width);
    memcpy(at, &value, std::min<size_t>(width, 10));
  } else if (kind == MOTIF_BOOL) {
    at[0] ^= 1;
  } else if (kind == MOTIF_CHAR && width == 1) {
    at[0] = some_char(random);
  } else if (kind == MOTIF_BYTES && width > 8) {
    change_integer(random, at + random.below(width / 8) * 8, 8);
  } else {
    change_integer(random, at, width);
  }
}

void change_value(Random &random, uint8_t *at, motif_kind kind, size_t width) {
  change_value_freely(random, at, kind, width);
  const size_t rarely = hung + too_large;
  if (rarely && !random.one_in(kLargeOneIn * rarely)) make_small(random, at, kind, width);
}

// Numbers one after the other: an entry of a table differs on one number alone, which a draw of thousands seldom meets.
class Walk {
 public:
  // Goes on from the last step of this field. Narrow numbers are walked in a circle; wide ones now and then start anew,
  // up or down from `at`, where the unit got further than elsewhere.
  void step(Random &random, size_t field, uint8_t *at, size_t width) {
    constexpr size_t kNarrow = 2, kAnewOneIn = 256;
    Place &place = places_[field % kPlaces];
    if (place.width != width || (width > kNarrow && random.one_in(kAnewOneIn))) {
      place.width = width;
      place.up = random.one_in(2);
      memcpy(&place.value, at, width);
    }
    place.value += place.up ? 1 : -1;
    memcpy(at, &place.value, width);
  }

 private:
  static constexpr size_t kPlaces = 64;
  struct Place {
    uint64_t value = 0;
    size_t width = 0;
    bool up = true;
  };
  Place places_[kPlaces];
};
Walk walk;

// Not once large numbers have proved slow.
bool can_walk(const motif_field &field) {
  const bool is_number = field.kind >= MOTIF_INT16 && field.kind <= MOTIF_UINT64;
  return is_number && !hung && !too_large && field.width >= 2 && field.width <= 8;
}

class Mutation : private AsCompared {
 public:
  using AsCompared::AsCompared;

  size_t run() {
    // What was compared is known of the input that ran last: mostly the one that this one was made of.
    const bool is_known = ran.size() == size_ && memcmp(ran.data(), data_, size_) == 0;
    complete();
    const bool has_text = std::any_of(layout_.begin(), layout_.end(), is_text);
    const bool looks = has_text ? (is_known ? !random_.one_in(3) : random_.one_in(12)) : is_known && random_.one_in(4);
    if (looks && some_change()) return size_;
    if (random_.one_in(12)) {
      every_number();
    } else {
      do one(layout_[random_.below(layout_.size())]);
      while (!moved_ && random_.one_in(2));
    }
    return size_;
  }

 private:
  // New numbers in every field at once, which small steps rarely reach.
  void every_number() {
    for (const motif_field &field : layout_) {
      if (!is_value(field)) continue;
      for (size_t i = 0; i < field.count; ++i) {
        const size_t at = field.offset + i * field.width;
        if (holds(at, field.width)) change_value(random_, data_ + at, static_cast<motif_kind>(field.kind), field.width);
      }
    }
  }

  void one(const motif_field &field) {
    switch (field.role) {
      case MOTIF_ROLE_ENUM:
        if (holds(field.offset, 2)) {
          const uint16_t value = static_cast<uint16_t>(random_.one_in(24) ? 0xf800 | random_.below(0x800)
                                                                          : random_.below(field.count));
          memcpy(data_ + field.offset, &value, 2);
        }
        break;
      case MOTIF_ROLE_PICK:
        if (holds(field.offset, field.width)) {
          const uint64_t value = random_.next();
          memcpy(data_ + field.offset, &value, field.width);
        }
        break;
      case MOTIF_ROLE_SIZE: resize(field); break;
      case MOTIF_ROLE_CSTRING: change_text(field.offset, field.count, true); break;
      case MOTIF_ROLE_ARRAY:
        if (field.kind == MOTIF_CHAR && field.width == 1 && random_.one_in(2)) {
          change_text(field.offset, field.count, false);
        }
        else change_array(field);
        break;
      default:
        if (!holds(field.offset, field.width)) break;
        if (random_.one_in(6)) take_over(field);
        else if (can_walk(field) && random_.one_in(field.width == 2 ? 2 : 6)) {
          walk.step(random_, static_cast<size_t>(&field - layout_.data()), data_ + field.offset, field.width);
        }
        else change_value(random_, data_ + field.offset, static_cast<motif_kind>(field.kind), field.width);
    }
  }

  // The value of another field of the same width, or one next to it.
  void take_over(const motif_field &field) {
    const motif_field &other = layout_[random_.below(layout_.size())];
    const size_t from = other.offset + random_.below(other.count) * other.width;
    if (!is_value(other) || other.width != field.width || !holds(from, other.width)) return;
    uint8_t *to = data_ + field.offset;
    if (random_.one_in(3)) {
      std::swap_ranges(to, to + field.width, data_ + from);
      return;
    }
    memmove(to, data_ + from, field.width);
    if (random_.one_in(2)) {
      uint64_t value = 0;
      memcpy(&value, to, std::min<size_t>(field.width, 8));
      value += random_.one_in(2) ? 1 : -1;
      memcpy(to, &value, std::min<size_t>(field.width, 8));
    }
  }

  // Messages begin where their buffer does: near the front each power of two has the same chance.
  size_t place(size_t count) {
    constexpr size_t kLarge = 64;
    if (count <= kLarge || random_.one_in(2)) return random_.below(count);
    unsigned powers = 0;
    while (count >> powers) ++powers;
    return random_.below(std::min(count, size_t(2) << random_.below(powers)));
  }

  void change_array(const motif_field &field) {
    const size_t left = size_ - std::min<size_t>(size_, field.offset);
    const size_t count = field.width ? std::min<size_t>(field.count, left / field.width) : 0;
    if (count == 0) return;
    uint8_t *const first = data_ + field.offset;
    const size_t width = field.width;
    const size_t chosen = place(count), other = place(count);
    const motif_kind kind = static_cast<motif_kind>(field.kind);
    const bool is_bytes = width == 1 && kind != MOTIF_BOOL && !hung;
    if (is_bytes && count >= 2 && random_.one_in(kind == MOTIF_CHAR ? 8 : 3)) {
      write_number(first, count);
      return;
    }
    switch (random_.below(8)) {
      case 0: memmove(first + other * width, first + chosen * width, width); break;
      case 1:
        std::swap_ranges(first + chosen * width, first + (chosen + 1) * width,
                         chosen == other ? first : first + other * width);
        break;
      case 2:
        change_value(random_, first + chosen * width, kind, width);
        for (size_t i = chosen + 1; i < count; ++i) memmove(first + i * width, first + chosen * width, width);
        break;
      case 3:
        for (size_t i = std::min(chosen, other); i <= std::max(chosen, other); ++i) {
          change_value(random_, first + i * width, kind, width);
        }
        break;
      default: change_value(random_, first + chosen * width, kind, width); break;
    }
  }

  // A number as decoders read it from bytes, mostly near the start: 2, 4 or 8 of them, the lowest or the highest first.
  void write_number(uint8_t *first, size_t count) {
    const size_t wide = size_t(2) << random_.below(count < 4 ? 1 : count < 8 ? 2 : 3);
    uint8_t *const to = first + std::min(place(count), random_.below(count - wide + 1));
    const uint64_t value = static_cast<uint64_t>(some_integer(random_)) + (random_.one_in(4) ? random_.below(3) - 1 : 0);
    const bool highest_first = random_.one_in(3);
    for (size_t i = 0; i < wide; ++i) {
      to[i] = static_cast<uint8_t>(value >> 8 * (highest_first ? wide - 1 - i : i));
    }
  }

  // Another number of elements; the field's elements are added or removed.
  void resize(const motif_field &field) {
    if (!holds(field.offset, field.width)) return;
    uint64_t now = 0;
    memcpy(&now, data_ + field.offset, field.width);
    uint64_t next;
    switch (random_.below(6)) {
      case 0: next = now + 1; break;
      case 1: next = now ? now - 1 : 1; break;
      case 2: next = 0; break;
      case 3: next = random_.below(4); break;
      case 4: next = random_.below(17); break;
      default: next = random_.next(); break;
    }
    set_size(field, now, next);
  }

  static size_t line_of(const uint8_t *text, size_t at) {
    while (at > 0 && text[at - 1] != '\n') --at;
    return at;
  }

  // Anywhere, or where a word or a line begins: what reads text reads it by words and lines.
  size_t some_place(const uint8_t *text, size_t length) {
    size_t at = random_.below(length + 1);
    switch (random_.below(4)) {
      case 0: return line_of(text, at);
      case 1:
        while (at > 0 && !isspace(text[at - 1])) --at;
        return at;
      default: return at;
    }
  }

  // Puts a word into a text. One that can't grow loses as much at its end, or what was in the place of the word.
  void put(size_t at, const std::string &word, size_t room, bool may_grow) {
    const size_t count = std::min(word.size(), room);
    if (may_grow) insert(at, count);
    else if (random_.one_in(2)) memmove(data_ + at + count, data_ + at, room - count);
    memcpy(data_ + at, word.data(), std::min(count, size_ - at));
  }

  void change_text(size_t offset, size_t length, bool may_grow) {
    if (offset > size_) return;
    length = std::min(length, size_ - offset);
    uint8_t *const text = data_ + offset;
    const size_t at = some_place(text, length);
    switch (random_.below(8)) {
      case 0:
      case 1:
        // A literal, replacing or inserted.
        if (!texts.empty()) {
          const std::string &word = texts[random_.below(texts.size())];
          put(offset + at, word, may_grow ? most_ - size_ : length - at, may_grow);
          break;
        }
        [[fallthrough]];
      case 7: {
        // A line once more, in front of another one.
        const uint8_t *const to = text + length;
        const uint8_t *const from = text + line_of(text, at);
        const uint8_t *const end = std::find(from, to, '\n');
        const std::string line(from, end == to ? end : end + 1);
        if (end != to && line.size() > 1) {
          const size_t before = line_of(text, random_.below(length + 1));
          put(offset + before, line, may_grow ? most_ - size_ : length - before, may_grow);
          break;
        }
        [[fallthrough]];
      }
      case 2:
        if (may_grow && size_ < most_) {
          const size_t count = std::min<size_t>(1 + random_.below(4), most_ - size_);
          insert(offset + at, count);
          for (size_t i = 0; i < count; ++i) data_[offset + at + i] = some_char(random_);
          break;
        }
        [[fallthrough]];
      case 3:
        if (at < length && may_grow) {
          const size_t count = 1 + random_.below(length - at);
          memmove(text + at, text + at + count, size_ - offset - at - count);
          size_ -= count;
          moved_ = true;
          break;
        }
        [[fallthrough]];
      case 4: {
        // A number.
        char digits[32];
        const char *format = random_.one_in(4) ? "%llx" : "%lld";
        const int count = snprintf(digits, sizeof digits, format, static_cast<long long>(some_integer(random_)));
        for (int i = 0; i < count && at + i < length; ++i) text[at + i] = static_cast<uint8_t>(digits[i]);
        break;
      }
      default:
        if (at < length) text[at] = some_char(random_);
        break;
    }
  }
};

}  // namespace

// One literal per line: `i` and a decimal integer, `f` and the bits of a double in hexadecimal, `s` and bytes in
// hexadecimal.
void read_dictionary(const char *path) {
  const std::vector<uint8_t> file = read_file(path);
  const std::string all(file.begin(), file.end());
  for (size_t from = 0; from < all.size();) {
    size_t to = all.find('\n', from);
    if (to == std::string::npos) to = all.size();
    const std::string line = all.substr(from, to - from);
    from = to + 1;
    if (line.size() < 3) continue;
    const char *text = line.c_str() + 2;
    if (line[0] == 'i') {
      const int64_t value =
          text[0] == '-' ? strtoll(text, nullptr, 10) : static_cast<int64_t>(strtoull(text, nullptr, 10));
      integers.push_back(value);
      reals.push_back(static_cast<double>(value));
    } else if (line[0] == 'f') {
      const uint64_t bits = strtoull(text, nullptr, 16);
      double value;
      memcpy(&value, &bits, sizeof value);
      reals.push_back(value);
    } else if (line[0] == 's') {
      std::string word;
      for (; text[0] && text[1]; text += 2) {
        const char digits[3] = {text[0], text[1], 0};
        word.push_back(static_cast<char>(strtoul(digits, nullptr, 16)));
      }
      if (!word.empty()) texts.push_back(word);
    }
  }
}

void forget_types() { typed = false; }

void note_hang() { hung += hung < kHungMost; }

void note_too_large() { too_large += too_large < kTooLargeMost; }

void note_layout(const uint8_t *data, size_t size, const motif_field *fields, uint32_t count) {
  ran.assign(data, data + size);
  const bool same =
      latest.size() == count && (count == 0 || memcmp(latest.data(), fields, count * sizeof *fields) == 0);
  if (one_layout && same) return;
  if (one_layout && !latest.empty()) one_layout = false;
  if (!same) latest.assign(fields, fields + count);
  if (one_layout) return;
  const uint64_t key = key_of(data, size);
  Kept &place = kept[key % kLayouts];
  place.key = key;
  place.layout = latest;
}

}  // namespace worker

extern "C" __attribute__((visibility("default"))) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                                                                 size_t most, unsigned seed) {
  using namespace worker;
  if (!typed) return LLVMFuzzerMutate(data, size, most);
  Random random(seed);
  std::vector<uint8_t> next;
  if (random.one_in(2) && next_following(most, &next)) {
    std::copy(next.begin(), next.end(), data);
    return next.size();
  }
  size = replace_dead(data, size, most, random.next());
  const Layout *layout = &latest;
  if (!one_layout) {
    const uint64_t key = key_of(data, size);
    if (kept[key % kLayouts].key == key) layout = &kept[key % kLayouts].layout;
  }
  if (layout->empty() || most == 0) return LLVMFuzzerMutate(data, size, most);
  size = start_from(data, size, *layout);
  const bool is_raw = random.one_in(4 + 2 * hung);
  size = is_raw ? LLVMFuzzerMutate(data, size, most) : Mutation(data, size, most, *layout, random).run();
  spare(data, size, [&random](uint32_t chance) { return random.one_in(chance); });
  return size;
}
