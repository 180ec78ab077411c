#include "n.hpp"
int n::Square::count = 0;
namespace { const double limit[] = {0.5, -1.0}; int helper(int a) { return a > 7 ? -1 : 0; } }
std::unique_ptr<n::Shape> make(const std::map<std::string, n::POS *> &m, n::Ring<n::POS> &r, std::size_t size) {
n::Ring<int, 3> other; other.push(helper(1)); r.push(n::POS{1, {limit[0]}}); n::Square::count++;
switch (m.size() + size) { case 0x10: goto end; }
end:
 return std::unique_ptr<n::Shape>(new n::Square(2.5)); }
