#include <cstdlib>
class Session {
  bool closed_ = false;
  int sent_ = 0;
 public:
  explicit Session(short first) : sent_(first) {}
  ~Session() {
    if (!closed_) std::abort();
  }
  int send(short n) {
    sent_ += n;
    return sent_;
  }
};
