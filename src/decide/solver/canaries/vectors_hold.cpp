// Elements stay in their order.
#include <vector>
extern "C" int nondet_int();
int main() {
  std::vector<int> values;
  int a = nondet_int(), b = nondet_int();
  values.push_back(a);
  values.push_back(b);
  values.push_back(a);
  int sum = 0;
  for (int value : values) sum ^= value;
  values.pop_back();
  __ESBMC_assert(values.size() == 2 && values[0] == a && values[1] == b && sum == b, "motif: same");
}
