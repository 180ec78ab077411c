#include <cstddef>
#include <string>
namespace gs {
struct Track { int id; std::string name; };
struct Store { Track *tracks; int used; };
class Cell {
 public:
  Cell() = default;
  explicit Cell(int v) : v_(v) {}
  int v() const { return v_; }

 private:
  int v_ = 0;
};
class Single {
 public:
  explicit Single(int v) : v_(v) {}
  int v() const { return v_; }

 private:
  int v_;
};
int rename(Store &store, const std::string &to) {
  int renamed = 0;
  for (int i = 0; i < store.used; ++i)
    if (store.tracks[i].name.empty()) {
      store.tracks[i].name = to;
      ++renamed;
    }
  return renamed;
}
int sum(const Cell *cells, std::size_t count) {
  int s = 0;
  for (std::size_t k = 0; k < count; ++k) s ^= cells[k].v() + 1;
  return s;
}
int first(const Single *cells, std::size_t count) {
  int s = 0;
  for (std::size_t k = 0; k < count; ++k) s ^= cells[k].v() + 1;
  return s;
}
}
