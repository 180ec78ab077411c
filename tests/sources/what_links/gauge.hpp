#pragma once

/// What is read out; most gauges scale what they measure.
class Gauge {
 public:
  explicit Gauge(int factor);
  virtual ~Gauge();
  virtual int read(int raw) const;

 private:
  int factor_;
};

/// Set when the first gauge is made.
extern int gauge_limit;
