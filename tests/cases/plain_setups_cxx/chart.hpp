#ifndef CHART_HPP
#define CHART_HPP

#include <string>
#include <vector>

namespace chart {

struct Point {
  Point() = default;
  Point(double across, double up) : x(across), y(up) {}
  double x = 0;
  double y = 0;
};

class Mark {
 public:
  explicit Mark(Point at = Point(), double scale = 1, double turn = 0) : at_(at), scale_(scale), turn_(turn) {}
  double size() const { return scale_ * (at_.x + 1); }
  double turn() const { return turn_; }

 private:
  Point at_;
  double scale_, turn_;
};

class Painter {
 public:
  virtual ~Painter() = default;
  virtual void line(const Point &from, const Point &to) = 0;
  virtual void text(const std::string &what) = 0;
  virtual void fill(int colour) = 0;
  virtual void begin() = 0;
  virtual void end() = 0;
};

// Who paints little derives from this.
class PainterAdapter : public Painter {
 public:
  void line(const Point &, const Point &) override {}
  void text(const std::string &) override {}
  void fill(int) override {}
  void begin() override {}
  void end() override {}
};

class Chart {
 public:
  explicit Chart(bool framed = false) : framed_(framed) {}
  Chart(const Chart &) = delete;
  Chart &operator=(const Chart &) = delete;
  void add(const Mark &mark) { marks_.push_back(mark); }
  double widest() const;
  void paint(Painter &painter) const;

 private:
  std::vector<Mark> marks_;
  bool framed_;
};

}  // namespace chart

#endif
