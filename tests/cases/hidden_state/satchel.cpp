#include "satchel.hpp"

#include <cstring>

namespace satchel {

struct Bytes::Held {
  std::string text;
};

Bytes::Bytes() : held_(new Held) {}
Bytes::Bytes(const char *text) : held_(new Held{text}) {}
Bytes::Bytes(const Bytes &other) : held_(new Held(*other.held_)) {}
Bytes &Bytes::operator=(const Bytes &other) {
  held_->text = other.held_->text;
  return *this;
}
Bytes::~Bytes() { delete held_; }

Bytes &Bytes::append(char next) {
  held_->text += next;
  return *this;
}
Bytes Bytes::doubled() const { return Bytes((held_->text + held_->text).c_str()); }
unsigned Bytes::size() const { return static_cast<unsigned>(held_->text.size()); }
Bytes::ConstIterator Bytes::begin() const { return held_->text.data(); }
Bytes::ConstIterator Bytes::end() const { return held_->text.data() + held_->text.size(); }

struct Dial::Gear {
  int teeth;
};
Dial::Dial() : gear_(new Gear{0}) {}
Dial::Dial(const Dial &other) : gear_(new Gear(*other.gear_)) {}
Dial::~Dial() { delete gear_; }
void Dial::turn(int by) { gear_->teeth = (gear_->teeth + by % 12 + 12) % 12; }
int Dial::position() const { return gear_->teeth; }

Cell &Cell::grow(int by) {
  if (by > 0 && by < 1000) value_.number = by * 2;
  return *this;
}

}  // namespace satchel
