#include "session.h"

namespace session {

int Counter::next() { return count_ *= 3; }

bool Pipe::push(unsigned char limit) {
  if (blocks_ > limit - 1) return false;
  blocks_ += 2;
  session_.link().send(blocks_ + session_.overhead());
  return true;
}

}  // namespace session
