struct Limit {
  virtual ~Limit() {}
  virtual bool fits(double value) const = 0;
};
struct Most : Limit {
  explicit Most(double most) : most(most) {}
  bool fits(double value) const override { return value <= most; }
  double most;
};
class Value {
 public:
  Value(double value, Limit *limit, bool owned) : value_(limit && !limit->fits(value) ? 1 : value),
    owned_(owned), step_(1) {}
  Value(double value, const Limit *limit = nullptr, double step = 0)
      : value_(limit && !limit->fits(value) ? 0 : value), owned_(false), step_(step) {}
  double next(int n) const {
    return value_ + n * step_ + owned_;
  }

 private:
  double value_;
  bool owned_;
  double step_;
};
