class Gauge {
 public:
  explicit Gauge(int offset) : offset_(offset) {}
  int alarms(int a) const;

 private:
  int offset_;
};

int Gauge::alarms(int a) const {
  int level = a > 100 ? 100 : a;
  return level > 50 ? offset_ : 0;
}
