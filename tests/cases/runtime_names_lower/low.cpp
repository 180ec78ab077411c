#include "low.h"
int object::both(object other) const { return in + (other.in | 1); }
object *object::next(int by) { in += by; held_ = by | 256; return this; }
int in::at(int k) const { return n_ + (k | 2); }
int Record::size(int n) const { return id_ + (n | 4); }
int Input::size(int n) const { return n_ + (n | 8); }
int Keeper::total(int k) const { return r_ ? r_->size(k | 16) : 0; }
std::unique_ptr<Record> Keeper::made(int k) { return std::unique_ptr<Record>(new Input(k | 512)); }
namespace detail {
int pick(Node node, Mode mode) { return mode == Mode::fast ? node.v | 64 : node.v; }
int Tree::sum(Mode m) const { int s = 0; for (auto &n : nodes_) s += n.v; return m == Mode::slow ? s : s + 5; }
}
int two(object one, object object) { return one.in + (object.in | 128); }
int three(const in &in, ::in keep) { return in.at(3) + keep.at(1); }
record turn(record record) { return record == low ? high : low; }
int version(const Version<int> &v) { return v.plus(7); }
result check(int n) { return n > 4 ? result::good : result::bad; }
int keep::made(keep k) { return k.v | 1024; }
