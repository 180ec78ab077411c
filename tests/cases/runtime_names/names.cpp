#include "names.h"
int Record::value(int k) const { return n_ ^ (k | 1); }
Record Record::next(int k) const { return Record(n_ + (k | 2)); }
int Input::size(int k) const { return static_cast<int>(s_.size()) + k * 3; }
int take(const Record &record, const Input &input, int keep) { return record.value(keep) + input.size(keep | 4); }
Original orig(int in, Mutant m) { return Original{in + (m.b | 5)}; }
int util(TestUtil<int> u, object keep) { return u.t + (keep.in | 6); }
std::vector<Record> records(const std::vector<Input> &in) {
  std::vector<Record> all;
  for (const auto &i : in) all.push_back(Record(i.size(7)));
  return all;
}
namespace lib {
Record make(Input in) { return Record{in.y | 8}; }
int object(In in, int record) { return in.z + (record | 9); }
}
int observe(Keep k) { return k.a | 10; }
int keep(int k, int in) { return k + (in | 11); }
int record(int in) { return in | 12; }
int call(int a) { return a | 13; }
int compare(int a, int b) { return a + (b | 14); }
