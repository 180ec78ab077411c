// Minimises inputs that distinguish mutants from the original: a test spells out every value.
#include "shared.h"
#include "worker.hpp"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <map>

namespace worker {
namespace {

// The width of values whose places are unknown.
constexpr size_t kUsualWidth = 8;
// The most values that an element is taken to consist of, where elements are removed one by one.
constexpr size_t kValuesOfElement = 6;
// A text that is longer is not shortened character by character, and an array not made smaller value by value.
constexpr size_t kLongestText = 64;
// Of so many values of an input each is tried for itself, of more several at once.
constexpr size_t kMostSpans = 256;
// The shortest ranges that are taken out of such a text.
constexpr uint64_t kShortestRange = 4;
// How often an input that tells more is looked for.
constexpr unsigned kTellingTries = 24;
// Lengths for what works in blocks and needs a certain rest.
constexpr uint64_t kRests[] = {1, 2, 3, 5, 9, 17};
// The decimals that a number may keep, fewest first.
constexpr int kDecimals[] = {1, 2, 3, 4, 6, 9};

struct Span {
  size_t from, to;
};

// A number, with all places of the input where it stands.
struct Number {
  uint8_t kind;
  size_t width;
  std::vector<size_t> places;
};

bool same(const std::vector<motif_field> &one, const std::vector<motif_field> &other) {
  return one.size() == other.size() &&
         (one.empty() || memcmp(one.data(), other.data(), one.size() * sizeof one[0]) == 0);
}

bool is_signed(uint8_t kind) {
  return kind == MOTIF_INT8 || kind == MOTIF_INT16 || kind == MOTIF_INT32 || kind == MOTIF_INT64;
}

bool is_integer(uint8_t kind) { return kind >= MOTIF_INT8 && kind <= MOTIF_UINT64; }

bool is_number(uint8_t kind) { return kind == MOTIF_FLOAT || kind == MOTIF_DOUBLE || is_integer(kind); }

bool is_of_numbers(const motif_field &of) { return of.role == MOTIF_ROLE_VALUE || of.role == MOTIF_ROLE_ARRAY; }

class Plain {
 public:
  Plain(std::vector<uint8_t> &input, Trial &trial) : input_(input), trial_(trial) {}
  void make();

 private:
  bool differ() { return trial_.goes_on() && trial_.differ(input_.data(), input_.size()); }
  std::vector<Span> spans() const;
  bool put_noughts();
  bool drop_elements();
  bool drop_ranges(motif_field text, const motif_field *size);
  bool move_to_front();
  bool drop_bytes();
  size_t content(const motif_field &array) const;
  bool drop_elements_of(motif_field size, size_t index);
  bool smaller_values();
  std::vector<Number> equal_numbers(const std::vector<motif_field> &layout) const;
  void smaller(const Number &number);
  void smaller_integer(const Number &number);
  template <class T>
  void shorter_number(const Number &number);
  void plain_text(const motif_field &text);
  void plain_letters(size_t from, size_t count, bool ends_at_nought);
  bool put(const std::vector<size_t> &places, const std::vector<uint8_t> &values);
  bool put(size_t at, const std::vector<uint8_t> &values) { return put(std::vector<size_t>{at}, values); }
  bool put_integer(const Number &number, uint64_t value);
  size_t used(const motif_field &field) const;
  void more_telling();
  uint64_t integer(size_t at, size_t width) const;
  // Changes the input if all mutants still differ.
  template <class Change>
  bool changed(Change change);

  std::vector<uint8_t> &input_;
  Trial &trial_;
};

template <class Change>
bool Plain::changed(Change change) {
  const std::vector<uint8_t> before = input_;
  const std::vector<motif_field> layout = trial_.layout;
  change(input_);
  if (differ()) return true;
  input_ = before;
  trial_.layout = layout;
  return false;
}

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
    // (Storage is of a union mostly: nobody says of which width its members are.)
    // (A long text gets shorter, and keeps its words.)
    const bool is_long = field.kind == MOTIF_CHAR && field.count > kLongestText;
    const size_t width = field.role == MOTIF_ROLE_ARRAY && !is_long ? field.width : size;
    if (size) add(end + size, field.kind == MOTIF_BYTES ? 1 : width);
  }
  // The rest was not read, or too much was read to record all places.
  add(input_.size(), trial_.layout.size() == MOTIF_FIELDS_MOST ? kUsualWidth : input_.size());
  return found;
}

// Replaces values at each of the places if all mutants still differ.
bool Plain::put(const std::vector<size_t> &places, const std::vector<uint8_t> &values) {
  const auto is_so = [&](size_t at) { return memcmp(input_.data() + at, values.data(), values.size()) == 0; };
  const auto is_there = [&](size_t at) { return at + values.size() <= input_.size(); };
  if (!std::all_of(places.begin(), places.end(), is_there)) return false;
  if (std::all_of(places.begin(), places.end(), is_so)) return false;
  return changed([&](std::vector<uint8_t> &input) {
    for (const size_t at : places) {
      std::copy(values.begin(), values.end(), input.begin() + static_cast<ptrdiff_t>(at));
    }
  });
}

uint64_t Plain::integer(size_t at, size_t width) const {
  uint64_t value = 0;
  memcpy(&value, input_.data() + at, width);
  return value;
}

bool Plain::put_integer(const Number &number, uint64_t value) {
  std::vector<uint8_t> bytes(number.width);
  memcpy(bytes.data(), &value, number.width);
  return put(number.places, bytes);
}

// Replaces values by zeros, larger ranges first. Returns whether any were replaced.
bool Plain::put_noughts() {
  const std::vector<Span> all = spans();
  bool changed = false;
  for (size_t step = all.size(); step > all.size() / kMostSpans; step /= 2) {
    for (size_t at = 0; at < all.size() && trial_.goes_on(); at += step) {
      const size_t from = all[at].from, to = all[std::min(at + step, all.size()) - 1].to;
      changed |= put(from, std::vector<uint8_t>(to - from));
    }
  }
  return changed;
}

// Takes elements out of containers, characters out of texts, and calls out of sequences of calls.
bool Plain::drop_elements() {
  bool dropped = false;
  for (size_t i = 0; i < trial_.layout.size() && trial_.goes_on(); ++i) {
    const motif_field field = trial_.layout[i];
    if (field.role == MOTIF_ROLE_SIZE && field.offset + field.width <= input_.size()) {
      while (trial_.goes_on() && i < trial_.layout.size() && drop_elements_of(trial_.layout[i], i)) dropped = true;
    } else if (field.role == MOTIF_ROLE_CSTRING && field.count <= kLongestText) {
      for (size_t at = field.offset + field.count; at-- > field.offset && trial_.goes_on();) {
        const auto shorten = [&](std::vector<uint8_t> &input) {
          if (at < input.size()) input.erase(input.begin() + static_cast<ptrdiff_t>(at));
        };
        dropped |= changed(shorten);
      }
    } else if (field.role == MOTIF_ROLE_CSTRING) {
      dropped |= drop_ranges(field, nullptr);
    }
  }
  return dropped;
}

// Takes ranges out of a long text or array, longer ones first; `size` is where its length stands, none for what ends
// with a nought.
bool Plain::drop_ranges(const motif_field text, const motif_field *size) {
  const motif_field length = size ? *size : motif_field{};
  bool dropped = false;
  uint64_t now = text.count;
  const auto drop = [&](uint64_t at, uint64_t range) {
    const bool is_taken = changed([&](std::vector<uint8_t> &input) {
      const uint64_t fewer = now - range;
      if (length.width) memcpy(input.data() + length.offset, &fewer, length.width);
      const size_t from = std::min<size_t>(text.offset + at * text.width, input.size());
      const size_t to = std::min<size_t>(text.offset + (at + range) * text.width, input.size());
      input.erase(input.begin() + static_cast<ptrdiff_t>(from), input.begin() + static_cast<ptrdiff_t>(to));
    });
    if (is_taken) now -= range;
    dropped |= is_taken;
  };
  // The same byte over and over is mostly what nobody has written to.
  for (uint64_t end = text.width == 1 ? now : 0; end > 1 && trial_.goes_on();) {
    uint64_t at = end - 1;
    if (text.offset + at >= input_.size()) {
      --end;
      continue;
    }
    while (at > 0 && input_[text.offset + at - 1] == input_[text.offset + at]) --at;
    if (end - at >= kShortestRange) drop(at, end - at);
    end = at;
  }
  for (uint64_t range = now / 4; range >= kShortestRange; range /= 2) {
    for (uint64_t at = now; at >= range && trial_.goes_on();) {
      at -= range;
      drop(at, range);
    }
  }
  return dropped;
}

// Moves what is in an array of bytes to its beginning, where noughts are before it: what reads it may need less of it.
bool Plain::move_to_front() {
  bool moved = false;
  for (const motif_field &field : std::vector<motif_field>(trial_.layout)) {
    const size_t end = std::min<size_t>(field.offset + field.count, input_.size());
    if (field.role != MOTIF_ROLE_ARRAY || field.width != 1 || field.offset >= end || !trial_.goes_on()) continue;
    const auto begin = input_.begin() + static_cast<ptrdiff_t>(field.offset);
    const auto behind = input_.begin() + static_cast<ptrdiff_t>(end);
    const auto first = std::find_if(begin, behind, [](uint8_t byte) { return byte != 0; });
    if (first == begin || first == behind) continue;
    std::vector<uint8_t> values(first, behind);
    values.resize(end - field.offset);
    moved |= put(field.offset, values);
  }
  return moved;
}

// How many bytes an array has up to its last that is not nought.
size_t Plain::content(const motif_field &array) const {
  size_t end = std::min<size_t>(array.offset + array.count * array.width, input_.size());
  while (end > array.offset && input_[end - 1] == 0) --end;
  return end > array.offset ? end - array.offset : 0;
}

// Takes bytes out of arrays that are as long as before with noughts at their end, longer ranges first.
bool Plain::drop_bytes() {
  bool dropped = false;
  for (const motif_field &field : std::vector<motif_field>(trial_.layout)) {
    if (field.role != MOTIF_ROLE_ARRAY || field.width != 1) continue;
    for (size_t range = content(field) / 2; range > 0; range /= 2) {
      if (content(field) > 4 * kLongestText) break;
      for (size_t at = content(field); at >= range && trial_.goes_on(); at -= std::min(at, range)) {
        const size_t from = field.offset + at - range, end = field.offset + content(field);
        if (from >= end) continue;
        std::vector<uint8_t> rest(input_.begin() + static_cast<ptrdiff_t>(std::min(from + range, end)),
                                  input_.begin() + static_cast<ptrdiff_t>(end));
        rest.resize(end - from);
        dropped |= put(from, rest);
      }
    }
  }
  return dropped;
}

// Takes one element out of what has `size` elements.
bool Plain::drop_elements_of(const motif_field size, size_t index) {
  const uint64_t raw = integer(size.offset, size.width);
  const uint64_t count = size.count ? raw % size.count : raw;
  if (count == 0) return false;
  const std::vector<motif_field> layout = trial_.layout;
  const auto without = [&](size_t from, size_t to) {
    return changed([&](std::vector<uint8_t> &input) {
      const uint64_t fewer = count - 1;
      memcpy(input.data() + size.offset, &fewer, size.width);
      to = std::min(to, input.size());
      if (from < to) {
        input.erase(input.begin() + static_cast<ptrdiff_t>(from), input.begin() + static_cast<ptrdiff_t>(to));
      }
    });
  };
  // Nothing of a length alone is behind it.
  const auto shorter = [&] {
    const Number number = {size.kind, size.width, {size.offset}};
    for (const uint64_t fewer : kRests) {
      if (fewer + 1 < count && put_integer(number, fewer)) return true;
    }
    uint64_t least = 0, most = count;
    while (least + 1 < most && trial_.goes_on()) {
      const uint64_t between = least + (most - least) / 2;
      (put_integer(number, between) ? most : least) = between;
    }
    return most < count || (count == 1 && put_integer(number, 0));
  };
  if (index + 1 >= layout.size()) return shorter();
  const motif_field &next = layout[index + 1];
  if (next.role == MOTIF_ROLE_ARRAY && next.count == count) {
    const auto leave = [&](uint64_t fewer) {
      return fewer < count && changed([&](std::vector<uint8_t> &input) {
        memcpy(input.data() + size.offset, &fewer, size.width);
        const size_t from = std::min<size_t>(next.offset + fewer * next.width, input.size());
        const size_t to = std::min<size_t>(next.offset + count * next.width, input.size());
        input.erase(input.begin() + static_cast<ptrdiff_t>(from), input.begin() + static_cast<ptrdiff_t>(to));
      });
    };
    // The last half first: a long text is mostly of no importance.
    if (count > 3 && leave(count / 2)) return true;
    for (const uint64_t fewer : kRests) {
      if (count > kLongestText && leave(fewer)) return true;
    }
    if (count > kLongestText && drop_ranges(next, &size)) return true;
    for (uint64_t at = count > kLongestText ? 0 : count; at-- > 0 && trial_.goes_on();) {
      const size_t from = next.offset + at * next.width;
      if (without(from, from + next.width)) return true;
    }
    return shorter();  // It may be as long by chance.
  }
  // Who has as many values as the array before has elements, and a few, says how many of these count.
  const uint64_t before = index > 0 && layout[index - 1].role == MOTIF_ROLE_ARRAY ? layout[index - 1].count : 0;
  if (before && size.count >= before && size.count - before <= before / 7 + 3 && shorter()) return true;
  // Nobody says where an element ends: it has so many values, or so many.
  for (size_t values = 1; values <= kValuesOfElement; ++values) {
    for (size_t element = 0; element < count && trial_.goes_on(); ++element) {
      const size_t first = index + 1 + element * values, end = first + values;
      if (end > layout.size()) break;
      const size_t to = end < layout.size() ? layout[end].offset : input_.size();
      if (without(layout[first].offset, to)) return true;
    }
  }
  return shorter();
}

// How many values of a field are looked at: all but the noughts at the end of an array of bytes.
size_t Plain::used(const motif_field &field) const {
  return field.role == MOTIF_ROLE_ARRAY && field.width == 1 ? content(field) : field.count;
}

// Replaces numbers by such as are nearer to zero or have fewer digits, and text by letters. False where other values
// stand at the places since.
bool Plain::smaller_values() {
  const std::vector<motif_field> layout = trial_.layout;
  // Numbers that are equal may have to be.
  for (const Number &number : equal_numbers(layout)) {
    if (!trial_.goes_on()) return true;
    if (!same(layout, trial_.layout)) return false;
    smaller(number);
  }
  for (const motif_field &field : layout) {
    if (!trial_.goes_on()) return true;
    if (!same(layout, trial_.layout)) return false;
    if (field.offset + motif_extent(&field) > input_.size() && field.role != MOTIF_ROLE_ARRAY) continue;
    const size_t used = this->used(field);
    const auto from = input_.begin() + static_cast<ptrdiff_t>(std::min<size_t>(field.offset, input_.size()));
    const auto to = from + std::min(static_cast<ptrdiff_t>(used), input_.end() - from);
    const auto typed = std::count_if(from, to, [](uint8_t byte) { return byte >= ' ' && byte < 0x7F; });
    if (field.role == MOTIF_ROLE_CSTRING || field.kind == MOTIF_CHAR) {
      plain_text(field);
    } else if (field.role == MOTIF_ROLE_ARRAY && field.width == 1 && typed * 2 >= to - from && from < to &&
               used <= kLongestText) {
      // Bytes that are text, mostly: no nought is in front of a letter.
      plain_letters(field.offset, content(field), false);
    } else if (field.role == MOTIF_ROLE_PICK) {
      smaller_integer({field.kind, field.width, {field.offset}});
    } else if (is_of_numbers(field) && used <= kLongestText) {
      for (size_t i = 0; i < used && trial_.goes_on(); ++i) {
        smaller({field.kind, field.width, {field.offset + i * field.width}});
      }
    }
  }
  return true;
}

// The numbers, neither zero nor one, that stand in several places.
std::vector<Number> Plain::equal_numbers(const std::vector<motif_field> &layout) const {
  std::map<std::pair<uint8_t, uint64_t>, Number> all;
  for (const motif_field &field : layout) {
    const bool is_array = field.role == MOTIF_ROLE_ARRAY;
    // (Bytes in a row may be text.)
    if (!is_of_numbers(field) || !is_number(field.kind) || (is_array && (field.width == 1 || field.count > kLongestText))) {
      continue;
    }
    for (size_t i = 0; i < field.count; ++i) {
      const size_t at = field.offset + i * field.width;
      if (at + field.width > input_.size() || field.width > sizeof(uint64_t)) break;
      const uint64_t value = integer(at, field.width);
      if (value <= 1) continue;
      all.insert({{field.kind, value}, {field.kind, field.width, {}}}).first->second.places.push_back(at);
    }
  }
  std::vector<Number> equal;
  for (auto &[_, number] : all) {
    if (number.places.size() > 1) equal.push_back(std::move(number));
  }
  return equal;
}

void Plain::smaller(const Number &number) {
  if (number.places.back() + number.width > input_.size()) return;
  if (number.kind == MOTIF_DOUBLE) shorter_number<double>(number);
  if (number.kind == MOTIF_FLOAT) shorter_number<float>(number);
  if (is_integer(number.kind)) smaller_integer(number);
}

// The value nearest to zero, where those between differ as it does.
void Plain::smaller_integer(const Number &number) {
  const unsigned bits = static_cast<unsigned>(number.width) * 8;
  const uint64_t all = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const uint64_t value = integer(number.places[0], number.width);
  const bool is_below = is_signed(number.kind) && (value >> (bits - 1) & 1);
  uint64_t size = is_below ? (~value + 1) & all : value;
  if (size <= 1) return;
  if (is_below && put_integer(number, size)) return smaller_integer(number);
  const auto as_value = [&](uint64_t size) { return is_below ? (~size + 1) & all : size; };
  if (put_integer(number, as_value(1))) return;
  for (uint64_t fails = 1; size - fails > 1 && trial_.goes_on();) {
    const uint64_t middle = fails + (size - fails) / 2;
    (put_integer(number, as_value(middle)) ? size : fails) = middle;
  }
}

template <class T>
void Plain::shorter_number(const Number &number) {
  T value;
  memcpy(&value, input_.data() + number.places[0], sizeof value);
  if (value == 0 || value == 1) return;
  const auto put_number = [&](double wanted) {
    const T number_wanted = static_cast<T>(wanted);
    std::vector<uint8_t> bytes(sizeof number_wanted);
    memcpy(bytes.data(), &number_wanted, sizeof number_wanted);
    return put(number.places, bytes);
  };
  const double sign = value < 0 ? -1 : 1;
  for (const double simple : {1.0, sign, 2 * sign, 0.5 * sign, 10 * sign, 100 * sign, 1000 * sign, 1e6 * sign}) {
    if (!trial_.goes_on() || static_cast<double>(value) == simple) return;
    if (fabs(simple) <= 2 || fabs(simple) < fabs(static_cast<double>(value))) {
      if (put_number(simple)) return;
    }
  }
  if (!isfinite(value)) return;
  if (value < 0 && put_number(-static_cast<double>(value))) value = -value;
  if (value != trunc(value) && put_number(trunc(static_cast<double>(value)))) return;
  for (const int digits : kDecimals) {
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value));
    const double shorter = strtod(text, nullptr);
    if (static_cast<T>(shorter) == value || !trial_.goes_on() || put_number(shorter)) return;
  }
}

// Letters in place of what nobody types: all of a text, or one by one.
void Plain::plain_text(const motif_field &text) {
  if (text.offset >= input_.size()) return;
  const size_t count = std::min<size_t>(text.count, input_.size() - text.offset);
  if (count == 0) return;
  const auto begin = input_.begin() + static_cast<ptrdiff_t>(text.offset);
  const bool is_nought = std::all_of(begin, begin + static_cast<ptrdiff_t>(count), [](uint8_t c) { return c == 0; });
  // An array of noughts is an empty text, which is plain; a string of noughts is not.
  const bool has_length = std::any_of(trial_.layout.begin(), trial_.layout.end(), [&](const motif_field &field) {
    return field.role == MOTIF_ROLE_SIZE && field.offset + field.width == text.offset;
  });
  if (text.role != MOTIF_ROLE_CSTRING && !has_length && is_nought) return;
  // (An array has noughts behind its text.)
  const size_t used = text.role == MOTIF_ROLE_ARRAY && !has_length ? content(text) : count;
  if (put(text.offset, std::vector<uint8_t>(used, 'a'))) return;
  if (used > kLongestText) {
    for (const char letter : {'a', ' '}) {
      const auto first = input_.begin() + static_cast<ptrdiff_t>(text.offset);
      std::vector<uint8_t> all(first, first + static_cast<ptrdiff_t>(used));
      std::replace_if(all.begin(), all.end(), [](uint8_t c) { return c < ' ' && !isspace(c); }, uint8_t(letter));
      if (put(text.offset, all)) break;
    }
    return;
  }
  plain_letters(text.offset, used, !has_length);
}

// One letter for all, one digit for all, and letters in place of what nobody types.
void Plain::plain_letters(size_t from, size_t count, bool ends_at_nought) {
  const auto is_of = [](uint8_t byte, char first, char last) { return byte >= first && byte <= last; };
  bool tried[256] = {};
  for (const uint8_t was : std::vector<uint8_t>(input_.begin() + static_cast<ptrdiff_t>(from),
                                                 input_.begin() + static_cast<ptrdiff_t>(from + count))) {
    const bool is_letter = is_of(was, 'b', 'z') || is_of(was, 'A', 'Z');
    if (tried[was]) continue;
    tried[was] = true;
    if ((!is_letter && !is_of(was, '1', '9')) || !trial_.goes_on()) continue;
    std::vector<uint8_t> all(input_.begin() + static_cast<ptrdiff_t>(from),
                             input_.begin() + static_cast<ptrdiff_t>(from + count));
    std::replace(all.begin(), all.end(), was, static_cast<uint8_t>(is_letter ? 'a' : '0'));
    put(from, all);
  }
  for (size_t i = 0; i < count && trial_.goes_on(); ++i) {
    const uint8_t is = input_[from + i];
    if ((is == 0 && ends_at_nought) || (is >= ' ' && is < 0x7F)) continue;
    for (const char letter : {'a', 'A', '0', ' '}) {
      if (put(from + i, {static_cast<uint8_t>(letter)})) break;
    }
  }
}

template <class T>
void write_number(uint8_t *at, int value) {
  const T number = static_cast<T>(value);
  memcpy(at, &number, sizeof number);
}

void write_number(const motif_field &field, uint8_t *at, int value) {
  switch (field.kind) {
    case MOTIF_FLOAT: return write_number<float>(at, value);
    case MOTIF_DOUBLE: return write_number<double>(at, value);
    case MOTIF_INT8: case MOTIF_UINT8: return write_number<uint8_t>(at, value);
    case MOTIF_INT16: case MOTIF_UINT16: return write_number<uint16_t>(at, value);
    case MOTIF_INT32: case MOTIF_UINT32: return write_number<uint32_t>(at, value);
    case MOTIF_INT64: case MOTIF_UINT64: return write_number<uint64_t>(at, value);
    default: return;
  }
}

// From an input on which only the sign of a zero tells, that something is no finite number, or that a text is empty, to
// one that tells more: all numbers small and different, then one number or string after the other.
void Plain::more_telling() {
  const std::vector<uint8_t> found = input_;
  const std::vector<motif_field> places = trial_.layout;
  unsigned tries = 0;
  const auto is_little = [&] {
    return trial_.tells == MOTIF_TELLS_LITTLE && trial_.goes_on() && tries++ < kTellingTries;
  };
  const auto write = [&](std::vector<uint8_t> &input, size_t only, int value) {
    const std::vector<motif_field> &layout = trial_.layout;
    for (size_t i = 0; i < layout.size(); ++i) {
      const motif_field &field = layout[i];
      const bool is_it = (only == layout.size() || only == i) && field.role == MOTIF_ROLE_VALUE;
      // (Of a long input only the beginning is there, and noughts at its end are left away.)
      if (!is_it || field.offset + field.width > MOTIF_INPUT_MOST) continue;
      input.resize(std::max<size_t>(input.size(), field.offset + field.width));
      write_number(field, &input[field.offset], value++);
    }
  };
  for (const int first : {1, 2, 5}) {
    if (is_little()) changed([&](std::vector<uint8_t> &input) { write(input, trial_.layout.size(), first); });
  }
  for (size_t i = 0; i < trial_.layout.size(); ++i) {
    const motif_field field = trial_.layout[i];
    for (const char *const text : {"1", "42", "1.5"}) {
      // (Of a long input only the beginning is there.)
      const size_t end = std::max<size_t>(input_.size(), field.offset + field.count);
      const bool is_there = end + strlen(text) <= MOTIF_INPUT_MOST;
      if (field.role != MOTIF_ROLE_CSTRING || !is_there || !is_little()) break;
      const bool is_put = changed([&](std::vector<uint8_t> &input) {
        input.resize(std::max<size_t>(input.size(), field.offset + field.count));
        const auto begin = input.begin() + static_cast<ptrdiff_t>(field.offset);
        input.insert(input.erase(begin, begin + static_cast<ptrdiff_t>(field.count)), text, text + strlen(text));
      });
      if (is_put) break;
    }
    if (field.role != MOTIF_ROLE_VALUE || !is_number(field.kind)) continue;
    for (const int value : {-1, 3, 2, 1, 1000}) {
      if (is_little()) changed([&](std::vector<uint8_t> &input) { write(input, i, value); });
    }
  }
  // Else it stays as it was found.
  if (trial_.tells == MOTIF_TELLS_LITTLE) {
    input_ = found;
    trial_.layout = places;
  }
}

void Plain::make() {
  bool differs = differ();
  if (differs) more_telling();
  for (bool anew = true; anew && differs && trial_.goes_on();) {
    const std::vector<motif_field> before = trial_.layout;
    bool changed = put_noughts();
    differs = differ();
    if (differs) changed |= drop_elements();
    const bool is_moved = differs && move_to_front();
    const bool moved = (differs && drop_bytes()) || is_moved;
    // After a size became smaller, other values are at these places; of less content less may count.
    anew = moved || (changed && !same(before, trial_.layout));
  }
  // Noughts at the end of the last number may have been left away; its value is looked for in all of its bytes.
  for (const motif_field &field : trial_.layout) {
    const size_t end = field.offset + field.width;
    if (field.role == MOTIF_ROLE_VALUE && field.offset < input_.size() && end <= MOTIF_INPUT_MOST) {
      input_.resize(std::max(input_.size(), end));
    }
  }
  // One value may bound another: what is smaller makes room for what was read before it.
  for (std::vector<uint8_t> before; differs && before != input_ && trial_.goes_on();) {
    before = input_;
    while (!smaller_values()) {}
  }
  while (!input_.empty() && input_.back() == 0) input_.pop_back();
}

}  // namespace

std::vector<uint8_t> make_plain(std::vector<uint8_t> input, Trial &trial) {
  Plain(input, trial).make();
  return input;
}

}  // namespace worker
