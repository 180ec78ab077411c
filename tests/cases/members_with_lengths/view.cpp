#include "view.h"
int hash(View view) {
  int h = 1;
  for (size_t i = 0; i < view.size; ++i) h = h * 31 + view.data[i];
  return h;
}
int hash(const View &view, int k) {
  if (view.size < 3) return k;
  return view.data[view.size - 1] == 'x' ? k + 1 : k;
}
void scramble(Buffer buffer, int k) {
  for (int i = 0; i < buffer.len; ++i) buffer.bytes[i] ^= static_cast<uint8_t>(k | 1); }
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
int any(std::vector<View> views) { int n = 0; for (auto &v : views) if (v.size > 0 && v.data[0] == 'a') n += 5;
  return n; }
Slice cut(const uint8_t *from, size_t length, int k) {
  if (length < 4) return Slice{from, 0, false};
  return Slice{from + (k & 1), 3, true};
}
View trimmed(View view) { while (view.size > 0 && *view.data == ' ') { ++view.data; --view.size; } return view; }
int StringRef::sum(int k) const { int s = k | 8; for (size_t i = 0; i < length_; ++i) s += data_[i]; return s; }
StringRef StringRef::drop(size_t n) const {
  return n < length_ ? StringRef(data_ + n, length_ - n) : StringRef(data_, 0); }
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
