#pragma once
#include <memory>
#include <string>
namespace hal {
struct Sample { int id; double level; };
const Sample &current();
std::unique_ptr<Sample> take();
void fetch(int &out);
int copy(char *to, unsigned count);
int calls(int n);
class Base {
 public:
  virtual ~Base() = default;
  virtual int f() = 0;
};
Base *base(int i);
}
