#pragma once
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
class StringRef { public: StringRef(const char *data, size_t length) : data_(data), length_(length) {}
  int sum(int k) const; StringRef drop(size_t n) const; size_t size() const { return length_; }
  private: const char *data_; size_t length_; };
int refs(StringRef a, const StringRef &b);
struct Holder { View name; Buffer content; int id; };
int held(const Holder &holder, int k);
class Grid { public: Grid(int w, int h); ~Grid() { delete[] cells_; } void put(int i, int v);
  int get(int i) const; private: Grid(const Grid &); int *cells_; int count_; };
class Store { public: explicit Store(int n) : size_(n & 15), data_(new int[16]()) {} void set(int i, int v);
  private: int size_; std::unique_ptr<int[]> data_; };
