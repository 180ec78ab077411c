#include <string>
#include "ground.hpp"
namespace gs {
bool Station::send(const std::string &stamp, const char *code, Mode mode, Percent level) {
  if (!open_ || stamp.size() < 20 || stamp[10] != 'T' || code[3] != '-') throw 1;
  if (mode != Mode::Safe && mode != Mode::Active) throw 2;
  if (level > 100) throw 3;
  sent_ += level;
  return level > 50;
}
}  // namespace gs
