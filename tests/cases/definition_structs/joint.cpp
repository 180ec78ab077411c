#include <cassert>
struct Body {
  explicit Body(int m) : mass(m) {}
  int mass;
};
struct Def {
  Def() : first(nullptr), second(nullptr), stiff(false) {}
  Body *first, *second;
  bool stiff;
};
class Joint {
  Body *first_, *second_;
  bool stiff_;
 public:
  explicit Joint(const Def &def)
      : first_(def.first), second_(def.second), stiff_(def.stiff) {
    assert(first_ && second_);
  }
  long load() const {
    return stiff_ ? 3L * first_->mass : second_->mass;
  }
};
long use(const Joint &joint) { return joint.load(); }
