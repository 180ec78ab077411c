#pragma once
#include <memory>
#include <string>
#include <vector>
class Record {
 public:
  explicit Record(int n) : n_(n) {}
  int value(int k) const;
  Record next(int k) const;
 private:
  int n_;
};
class Input { public: explicit Input(std::string s) : s_(s) {} int size(int k) const; private: std::string s_; };
template <class T> struct TestUtil { T t; };
struct Original { int a; };
struct Mutant { int b; };
struct object { int in; };
int take(const Record &record, const Input &input, int keep);
Original orig(int in, Mutant m);
int util(TestUtil<int> u, object keep);
std::vector<Record> records(const std::vector<Input> &in);
namespace lib { struct Record { int x; }; struct Input { int y; }; struct In { int z; };
Record make(Input in);
int object(In in, int record); 
}
struct Keep { int a; };
int observe(Keep k);
int keep(int k, int in);
int record(int in);
int call(int a);
int compare(int a, int b);
