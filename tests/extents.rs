//! Structures of which one member says how much lies behind another.

use crate::support::{Project, all_die};

const VIEWS_VIEW: &str = r#"#include "view.h"
int hash(View view) {
  int h = 1;
  for (size_t i = 0; i < view.size; ++i) h = h * 31 + view.data[i];
  return h;
}
int hash(const View &view, int k) {
  if (view.size < 3) return k;
  return view.data[view.size - 1] == 'x' ? k + 1 : k;
}
void scramble(Buffer buffer, int k) { for (int i = 0; i < buffer.len; ++i) buffer.bytes[i] ^= static_cast<uint8_t>(k | 1); }
void append(Buffer &buffer, uint8_t byte) {
  if (buffer.len >= buffer.capacity) return;
  buffer.bytes[buffer.len] = byte | 2;
  buffer.len += 1;
}
void shrink(Buffer *buffer) { if (buffer->len > 4) buffer->len = 4; if (buffer->len > 0) buffer->bytes[0] = 9; }
double mean(const Samples &samples) {
  double sum = 0;
  for (size_t i = 0; i < samples.count; ++i) sum += samples.values[i];
  return samples.count ? sum / samples.count : -1;
}
void bump(Span span, int k) { for (int *p = span.begin; p != span.end; ++p) *p += k | 4; }
int any(std::vector<View> views) { int n = 0; for (auto &v : views) if (v.size > 0 && v.data[0] == 'a') n += 5; return n; }
Slice cut(const uint8_t *from, size_t length, int k) {
  if (length < 4) return Slice{from, 0, false};
  return Slice{from + (k & 1), 3, true};
}
View trimmed(View view) { while (view.size > 0 && *view.data == ' ') { ++view.data; --view.size; } return view; }
int StringRef::sum(int k) const { int s = k | 8; for (size_t i = 0; i < length_; ++i) s += data_[i]; return s; }
StringRef StringRef::drop(size_t n) const { return n < length_ ? StringRef(data_ + n, length_ - n) : StringRef(data_, 0); }
int refs(StringRef a, const StringRef &b) { return a.sum(1) - b.sum(16); }
int held(const Holder &holder, int k) {
  int s = holder.id + k;
  for (size_t i = 0; i < holder.name.size; ++i) s += holder.name.data[i];
  for (int i = 0; i < holder.content.len; ++i) s -= holder.content.bytes[i];
  return s;
}
Grid::Grid(int w, int h) : cells_(new int[(w & 3) * (h & 3) + 1]()), count_((w & 3) * (h & 3) + 1) {}
void Grid::put(int i, int v) { if (i >= 0 && i < count_) cells_[i] = v | 32; }
int Grid::get(int i) const { return i >= 0 && i < count_ ? cells_[i] : 64; }
void Store::set(int i, int v) { if (i >= 0 && i < size_) data_[i] = v | 2048; }
"#;
const VIEWS_VIEW_H: &str = r#"#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>
struct View { const char *data; size_t size; };
struct Buffer { uint8_t *bytes; int len; int capacity; };
struct Samples { size_t count; const double *values; };
struct Span { int *begin; int *end; };
struct Slice { const uint8_t *ptr; std::size_t len; bool ok; };
int hash(View view);
int hash(const View &view, int k);
void scramble(Buffer buffer, int k);
void append(Buffer &buffer, uint8_t byte);
void shrink(Buffer *buffer);
double mean(const Samples &samples);
void bump(Span span, int k);
int any(std::vector<View> views);
Slice cut(const uint8_t *from, size_t length, int k);
View trimmed(View view);
class StringRef { public: StringRef(const char *data, size_t length) : data_(data), length_(length) {} int sum(int k) const; StringRef drop(size_t n) const; size_t size() const { return length_; } private: const char *data_; size_t length_; };
int refs(StringRef a, const StringRef &b);
struct Holder { View name; Buffer content; int id; };
int held(const Holder &holder, int k);
class Grid { public: Grid(int w, int h); ~Grid() { delete[] cells_; } void put(int i, int v); int get(int i) const; private: Grid(const Grid &); int *cells_; int count_; };
class Store { public: explicit Store(int n) : size_(n & 15), data_(new int[16]()) {} void set(int i, int v); private: int size_; std::unique_ptr<int[]> data_; };
"#;

#[test]
fn what_lies_behind_a_member_is_made_and_compared_as_far_as_another_member_says() {
    let project = Project::of(&[("view.cpp", VIEWS_VIEW), ("view.h", VIEWS_VIEW_H)]);
    let mutants = [
        ("view.mut.4.1_1_1.ICR.hash.cpp", "h * 31", "h * 33"),
        ("view.mut.9.1_1_1.ICR.hash.cpp", "== 'x'", "== 'y'"),
        ("view.mut.11.1_1_1.ICR.scramble.cpp", "(k | 1)", "(k | 3)"),
        ("view.mut.14.1_1_1.ICR.append.cpp", "byte | 2", "byte | 6"),
        ("view.mut.17.1_1_1.ICR.shrink.cpp", "bytes[0] = 9", "bytes[0] = 8"),
        ("view.mut.20.1_1_1.ICR.mean.cpp", "sum += samples", "sum -= samples"),
        ("view.mut.23.1_1_1.ICR.bump.cpp", "k | 4", "k | 5"),
        ("view.mut.24.1_1_1.ICR.any.cpp", "n += 5", "n += 6"),
        ("view.mut.27.1_1_1.ICR.cut.cpp", "(k & 1)", "(k & 2)"),
        ("view.mut.29.1_1_1.ICR.trimmed.cpp", "== ' ') {", "== '_') {"),
        ("view.mut.30.1_1_1.ICR.sum.cpp", "k | 8", "k | 9"),
        ("view.mut.31.1_1_1.ICR.drop.cpp", "data_ + n", "data_ + n - 1"),
        ("view.mut.32.1_1_1.ICR.refs.cpp", "sum(16)", "sum(17)"),
        ("view.mut.36.1_1_1.ICR.held.cpp", "s -= holder", "s += holder"),
        ("view.mut.40.1_1_1.ICR.put.cpp", "v | 32", "v | 33"),
        ("view.mut.41.1_1_1.ICR.get.cpp", ": 64", ": 65"),
        ("view.mut.42.1_1_1.ICR.set.cpp", "v | 2048", "v | 2049"),
    ];
    all_die(&project, "1s", &mutants);
}

const IN_C_VIEW_C: &str = r#"#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef struct { const char *data; size_t size; } View;
struct buffer { uint8_t *bytes; int len; int capacity; };
struct samples { size_t count; const double *values; };
int hash(View view) {
  int h = 1;
  for (size_t i = 0; i < view.size; ++i) h = h * 31 + view.data[i];
  return h;
}
void scramble(struct buffer buffer, int k) { for (int i = 0; i < buffer.len; ++i) buffer.bytes[i] ^= (uint8_t)(k | 1); }
int append(struct buffer *buffer, uint8_t byte) {
  if (buffer->len >= buffer->capacity) return 0;
  buffer->bytes[buffer->len] = byte | 2;
  buffer->len += 1;
  return 1;
}
double mean(const struct samples *samples) {
  double sum = 0;
  for (size_t i = 0; i < samples->count; ++i) sum += samples->values[i];
  return samples->count ? sum / (double)samples->count : -1;
}
View cut(View view) { if (view.size > 2) { view.data += 2; view.size -= 2; } return view; }
struct message { char *name; int name_len; int id; };
int rename_it(struct message *message) { if (message->name_len > 3) message->name[1] = 'q'; return message->id | 4; }
"#;

#[test]
fn lengths_of_structures_in_c_say_how_much_of_a_buffer_is_compared() {
    let project = Project::of(&[("view.c", IN_C_VIEW_C)]);
    let mutants = [
        ("view.mut.9.1_1_1.ICR.hash.c", "h * 31", "h * 33"),
        ("view.mut.12.1_1_1.ICR.scramble.c", "(k | 1)", "(k | 3)"),
        ("view.mut.15.1_1_1.ICR.append.c", "byte | 2", "byte | 6"),
        ("view.mut.21.1_1_1.ICR.mean.c", "sum += samples", "sum -= samples"),
        ("view.mut.24.1_1_1.ICR.cut.c", "data += 2", "data += 1"),
        ("view.mut.26.1_1_1.ICR.rename_it.c", "'q'", "'r'"),
    ];
    all_die(&project, "1s", &mutants);
}
