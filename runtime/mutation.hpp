// An input as the fields that the original has read: what is common to all that changes one.
#pragma once

#include "worker.hpp"

#include "shared.h"

namespace worker {

using Layout = std::vector<motif_field>;

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  size_t below(size_t most) { return most ? static_cast<size_t>(next() % most) : 0; }
  bool one_in(size_t chance) { return below(chance) == 0; }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

// A character as texts have them.
uint8_t some_char(Random &random);

class Fields {
 public:
  Fields(uint8_t *data, size_t size, size_t most, const Layout &layout, Random &random)
      : data_(data), size_(size), most_(most), layout_(layout), random_(random) {}
  // Missing bytes read as zero: makes them mutable.
  void complete();

 protected:
  static bool is_text(const motif_field &field);
  static bool is_value(const motif_field &field);
  bool holds(size_t offset, size_t width) const { return width != 0 && offset + width <= size_; }
  void insert(size_t at, size_t count);
  // Another number of elements; those of the array behind it are added or removed.
  void set_size(const motif_field &field, uint64_t now, uint64_t next);

  uint8_t *data_;
  size_t size_;
  const size_t most_;
  const Layout &layout_;
  Random &random_;
  bool moved_ = false;  // the layout no longer fits
};

// Puts in place of a part of an input what the original compared one like it with (see comparisons.cpp).
class AsCompared : protected Fields {
 public:
  using Fields::Fields;
  using Fields::complete;
  // Each makes its change at the `nth` place that it fits, or at any of them. False where there are not so many places.
  static constexpr size_t kAnywhere = SIZE_MAX;
  bool length_becomes(const Comparison &it);
  bool number_becomes(const Comparison &it, bool highest_first, size_t nth = kAnywhere);
  bool letter_becomes(uint8_t seen, uint8_t wanted, size_t nth = kAnywhere);
  bool text_becomes(const TextComparison &it, size_t from, size_t nth = kAnywhere);
  // Whether half of the width of a comparison does for its two numbers.
  static bool is_narrower(const Comparison &it);
  // Any of these, of any comparison.
  bool some_change();
  // The size of the input since.
  size_t size() const { return size_; }

 private:
  bool replace(size_t index, size_t at, size_t was, const uint8_t *bytes, size_t is);
  size_t chosen(size_t places, size_t nth);
};

}  // namespace worker
