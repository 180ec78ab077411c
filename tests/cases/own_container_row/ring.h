#pragma once
#include <cstddef>
namespace lab {
template <class T> class ring {
 public:
  ring() : room_(new unsigned char[16 * sizeof(T)]) {}
  ring(const ring &other) : ring() { for (const T &value : other) append(value); }
  ring &operator=(const ring &) = delete;
  ~ring() { delete[] room_; }
  void append(const T &value) { if (count_ < 16) new (room_ + count_++ * sizeof(T)) T(value); }
  const T *begin() const { return reinterpret_cast<const T *>(room_); }
  const T *end() const { return begin() + count_; }
 private:
  unsigned char *room_;
  std::size_t count_ = 0;
};
int weigh(const ring<int> &all);
ring<int> doubled(const ring<int> &all);
}
