#include "reader.h"
void read(unsigned value, int at, Listener &listener) {
  if (at < 100) listener.field(at + 3, value & 0xffu);
}
void dive(int depth, Listener *listener) {
  if (depth > 2) listener->end();
}
void walk(int level, Visitor *visitor) {
  if (level < 9 && visitor->enter(level + 1)) visitor->enter(0);
}
