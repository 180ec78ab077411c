// Owns objects that must outlive the block that creates them: alternatives chosen by the data, elements of containers
// of pointers. They are destroyed in reverse order.
#ifndef MOTIF_KEEPER_HPP
#define MOTIF_KEEPER_HPP

#include <vector>

namespace MOTIF {

class Keeper {
 public:
  Keeper() = default;
  Keeper(const Keeper &) = delete;
  Keeper &operator=(const Keeper &) = delete;
  ~Keeper() {
    while (!kept_.empty()) {
      const Kept last = kept_.back();
      kept_.pop_back();
      last.destroy(last.object);
    }
  }

  template <class T>
  T &operator()(T *object) {
    kept_.push_back({object, [](const void *kept) { delete static_cast<const T *>(kept); }});
    return *object;
  }

  // An array, value-initialised.
  template <class A>
  A &values() {
    struct Holder {
      A all{};
    };
    return (*this)(new Holder()).all;
  }

 private:
  struct Kept {
    const void *object;
    void (*destroy)(const void *);
  };
  std::vector<Kept> kept_;
};

}  // namespace MOTIF

#endif
