#include "cursor.hpp"

namespace cursor {

void Pen::skip(unsigned by) {
  if (by <= static_cast<unsigned>(end_ - at_)) at_ += by;
}

}  // namespace cursor
