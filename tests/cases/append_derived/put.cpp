#include <iterator>
class Buffer {
 public:
  using value_type = char;
  virtual ~Buffer() = default;
  void push_back(const char &c) { store(c); }
 protected:
  virtual void store(char c) = 0;
};
struct Room : Buffer {
  char held_[8] = {};
  int used_ = 0;
  void store(char c) override { if (used_ < 8) held_[used_++] = c; }
};
int put(std::back_insert_iterator<Buffer> to, int n) {
  *to++ = 'a';
  return n + 2;
}
