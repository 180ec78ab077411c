#include "n.h"
namespace n {
int Reader::step(int by) {
  depth += by > 3 ? 1 : 2;
  return depth;
}
namespace { struct Own { int reach(Base &b) { return b.length(); } }; }
Token<double, std::string> token(double v) { return Token<double, std::string>(v); }
int all(int v) { Own own; Base b; return Math<int>::twice(v) + Info<int>::digits(v) + own.reach(b); }
}
