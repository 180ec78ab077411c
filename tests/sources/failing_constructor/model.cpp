#include <stdexcept>
class Model {
  int n_;
 public:
  explicit Model(int n) : n_(n) { throw std::runtime_error("no licence"); }
  int size() const { return n_; }
};
typedef double T;
static bool alike(T x, T y) { return x == y; }
bool use() { return alike(1, 2); }
