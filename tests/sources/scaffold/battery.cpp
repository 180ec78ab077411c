namespace sat {
class Battery {
 public:
  explicit Battery(double charge) : charge_(charge) {}
  double drain(double by) { return charge_ -= by; }

 private:
  double charge_;
};
}  // namespace sat
