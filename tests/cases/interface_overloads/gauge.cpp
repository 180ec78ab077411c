class Gauge {
 protected:
  long value_ = 0;
 public:
  virtual ~Gauge() {}
  virtual int scale() const = 0;
  virtual void put(const char *text) = 0;
  Gauge &operator=(long value) {
    value_ = value + 3;
    return *this;
  }
  void put(long value) { value_ = value * 5; }
};
long twice(Gauge &gauge) { return gauge.scale() * 2L; }
