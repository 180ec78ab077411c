// The last element counts.
#include <vector>
extern "C" int nondet_int();
int main() {
  std::vector<int> values;
  for (int i = 0; i < 3; ++i) values.push_back(nondet_int());
  bool all = false, most = false;
  for (unsigned i = 0; i < values.size(); ++i) all = all || values[i] == 5;
  for (unsigned i = 0; i + 1 < values.size(); ++i) most = most || values[i] == 5;
  __ESBMC_assert(all == most, "motif: same");
}
