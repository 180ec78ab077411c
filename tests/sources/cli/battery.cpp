namespace sat {
class Battery {
 public:
  explicit Battery(double charge) : charge_(charge) {}
  double drain(double by) { return charge_ -= by; }

 private:
  double charge_;
};
class Panel;
using Context = int Panel::*;
double halved(const Battery &battery, Context context);
double halved(const Battery &, Context) { return 0.5; }
}  // namespace sat
