namespace std {
struct stream {};
extern stream cerr;
stream &operator<<(stream &, int);
double log(double);
template <class T> struct vector {
  void reserve(unsigned long);
};
}  // namespace std
namespace app {
void audit(int);
}
#define LOG_INFO(text) app::audit(text)

double level(std::vector<int> &values, int count) {
  values.reserve(count + 1);
  std::cerr << count - 1 << count;
  LOG_INFO(count);
  app::audit(count + 2);
  double sum = std::log(count + 3.0);
  return sum;
}
