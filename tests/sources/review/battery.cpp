#include "cell.hpp"
namespace sat {
class Battery {
 public:
  explicit Battery(double charge) : charge_(charge) {}
  double drain(double by) { return charge_ -= by; }
  double load(const Cell &cell) const { return charge_ + cell.volts; }

 private:
  double charge_;
};
int halved(int x) { return x / 2; }
}  // namespace sat
