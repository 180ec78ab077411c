#include <vector>
#include <stdexcept>
class Filter {
 public:
  int first(std::vector<int> list) { return core(list); }
  int second(int n, const int *data) { int sum = 0; for (int i = 0; i < n; ++i) sum += data[i]; return core({sum, n}); }

 private:
  int core(std::vector<int> list) {
    if (list.size() < 2 || list.size() > 3) throw std::out_of_range("size");
    return list.size() > 2 ? list[2] : list[0];
  }
};
int use(Filter &filter) { return filter.first({1, 2}); }
