// A part of an input becomes what the original has compared one like it with, in its last run.
#include "mutation.hpp"

#include <string.h>

#include <algorithm>

namespace worker {
namespace {

// Whether half of the width does for a number, with or without a sign.
bool fits(uint64_t number, size_t width) {
  const unsigned half = static_cast<unsigned>(width) * 4;
  const uint64_t high = (width == 8 ? number : number & ((uint64_t(1) << 2 * half) - 1)) >> (half - 1);
  return high >> 1 == 0 || high == (uint64_t(1) << (half + 1)) - 1;
}

}  // namespace

// Most code reads from the beginning, and stops at the first that it does not like.
size_t AsCompared::chosen(size_t places, size_t nth) {
  return nth != kAnywhere ? nth : random_.one_in(2) ? 0 : random_.below(places);
}

bool AsCompared::is_narrower(const Comparison &it) {
  return it.width > 2 && fits(it.seen, it.width) && fits(it.wanted, it.width);
}

bool AsCompared::some_change() {
  const auto below = [this](size_t most) { return random_.below(most); };
  TextComparison text;
  if (random_.one_in(2) && some_text(below, &text)) {
    const size_t first = random_.below(2);
    if (text_becomes(text, first) || text_becomes(text, 1 - first)) return true;
  }
  Comparison it;
  if (!some_comparison(below, &it)) return false;
  if (random_.one_in(2) && length_becomes(it)) return true;
  if (it.width == 1) return letter_becomes(static_cast<uint8_t>(it.seen), static_cast<uint8_t>(it.wanted));
  // What was read may be narrower than what was calculated with, and not in the order of this machine.
  while (is_narrower(it) && random_.one_in(2)) it.width /= 2;
  const bool highest_first = random_.one_in(2);
  return number_becomes(it, highest_first) || number_becomes(it, !highest_first);
}

// The length of an array. Where it may be any number, greater ones stand behind the choice that no array has.
bool AsCompared::length_becomes(const Comparison &it) {
  for (const motif_field &field : layout_) {
    if (field.role != MOTIF_ROLE_SIZE || !holds(field.offset, field.width)) continue;
    uint64_t now = 0;
    memcpy(&now, data_ + field.offset, field.width);
    if (now % field.count != it.seen) continue;
    if (field.kind == MOTIF_SIZE) {
      if (it.wanted >= field.count) continue;
      set_size(field, now % field.count, it.wanted);
      return true;
    }
    const size_t width = motif_width(static_cast<motif_kind>(field.kind));
    // One in eight of the choices is none of an array's.
    const uint64_t choices = field.count - 2, most = choices - choices / 8;
    if (it.seen > most) continue;
    const bool is_beyond = it.wanted > most;
    if (is_beyond && (width > sizeof it.wanted || width > most_ - size_)) return false;
    const uint64_t chosen = is_beyond ? field.count - 1 : it.wanted;
    memcpy(data_ + field.offset, &chosen, field.width);
    if (!is_beyond) return true;
    insert(field.offset + field.width, width);
    memcpy(data_ + field.offset + field.width, &it.wanted, width);
    return true;
  }
  return false;
}

// In a field of its own, or in bytes as decoders read it.
bool AsCompared::number_becomes(const Comparison &it, bool highest_first, size_t nth) {
  uint8_t seen[8], wanted[8];
  for (size_t i = 0; i < it.width; ++i) {
    const size_t at = highest_first ? it.width - 1 - i : i;
    seen[at] = static_cast<uint8_t>(it.seen >> 8 * i);
    wanted[at] = static_cast<uint8_t>(it.wanted >> 8 * i);
  }
  std::vector<size_t> places;
  for (const motif_field &field : layout_) {
    const bool is_number = is_value(field) && field.width >= it.width && field.width <= 8 && !highest_first;
    if (!is_text(field) && !is_number) continue;
    const size_t end = std::min<size_t>(size_, field.offset + field.count * (is_text(field) ? 1 : field.width));
    for (size_t at = field.offset; at + it.width <= end; at += is_number ? field.width : 1) {
      if (memcmp(data_ + at, seen, it.width) == 0) places.push_back(at);
    }
  }
  const size_t place = chosen(places.size(), nth);
  if (place >= places.size()) return false;
  memcpy(data_ + places[place], wanted, it.width);
  return true;
}

// A character of a text. Where the text had ended, it is one longer.
bool AsCompared::letter_becomes(uint8_t seen, uint8_t wanted, size_t nth) {
  struct Place {
    size_t at;
    bool grows;
  };
  std::vector<Place> places;
  for (const motif_field &field : layout_) {
    if (!is_text(field)) continue;
    const bool grows = field.role == MOTIF_ROLE_CSTRING;
    const size_t end = std::min<size_t>(size_, field.offset + field.count);
    const size_t before = places.size();
    for (size_t at = field.offset; at < end; ++at) {
      // As it is, or in lower case. Of the end of a text there is one.
      const uint8_t is = data_[at], lower = is >= 'A' && is <= 'Z' ? is | 0x20 : is;
      if (is == seen || lower == seen) places.push_back({at, grows && is == 0});
      if (seen == 0 && places.size() > before) break;
    }
    if (grows && seen == 0 && places.size() == before) places.push_back({end, true});
  }
  const size_t place = chosen(places.size(), nth);
  if (place >= places.size()) return false;
  const auto [at, grows] = places[place];
  if (grows && size_ == most_) return false;
  if (grows) insert(at, 1);
  data_[at] = wanted;
  return true;
}

// What stands in the place of one of two texts becomes the other one.
bool AsCompared::text_becomes(const TextComparison &it, size_t from, size_t nth) {
  struct Place {
    size_t field, at;
  };
  const uint8_t *const seen = it.text[from], *const wanted = it.text[1 - from];
  const size_t was = it.size[from], is = it.size[1 - from];
  if (is == 0) return false;
  std::vector<Place> places;
  for (size_t i = 0; i < layout_.size(); ++i) {
    const motif_field &field = layout_[i];
    if (!is_text(field)) continue;
    const size_t end = std::min<size_t>(size_, field.offset + field.count);
    if (field.offset > end) continue;
    // An empty text or a byte alone is anywhere: only where it is all that there is.
    if (was < 2 && end - field.offset != was) continue;
    for (size_t at = field.offset; at + was <= end; ++at) {
      if (memcmp(data_ + at, seen, was) == 0) places.push_back({i, at});
    }
  }
  const size_t n = chosen(places.size(), nth);
  if (n >= places.size()) return false;
  return replace(places[n].field, places[n].at, was, wanted, is);
}

// Other bytes in a text, which may be more of them or less where the text has a length. False if nothing changes.
bool AsCompared::replace(size_t index, size_t at, size_t was, const uint8_t *bytes, size_t is) {
  const motif_field &field = layout_[index];
  const motif_field *const length = index > 0 ? &layout_[index - 1] : nullptr;
  uint64_t now = 0;
  bool is_free = field.role == MOTIF_ROLE_CSTRING;
  if (!is_free && length && length->role == MOTIF_ROLE_SIZE && length->kind == MOTIF_SIZE &&
      holds(length->offset, length->width)) {
    memcpy(&now, data_ + length->offset, length->width);
    now = now % length->count + is - was;
    is_free = now < length->count && now + was == field.count + is;
  }
  if (!is_free || (is > was && size_ + is - was > most_)) {
    const size_t end = field.offset + field.count;
    is = std::min({is, end > at ? end - at : 0, size_ - at});
    if (is == 0 || memcmp(data_ + at, bytes, is) == 0) return false;
    memcpy(data_ + at, bytes, is);
    return true;
  }
  if (field.role != MOTIF_ROLE_CSTRING) memcpy(data_ + length->offset, &now, length->width);
  if (is > was) {
    insert(at, is - was);
  } else if (is < was) {
    memmove(data_ + at, data_ + at + was - is, size_ - at - (was - is));
    size_ -= was - is;
    moved_ = true;
  }
  memcpy(data_ + at, bytes, is);
  return true;
}

}  // namespace worker
