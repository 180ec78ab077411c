#pragma once
#include <memory>
#include <vector>
namespace n {
class Spot {
  double x;
  int weight;
  std::vector<int> marks;
  const Spot *next = nullptr;
 public:
  Spot(double x, int weight) : x(x), weight(weight) {}
  void mark(int n) { marks.push_back(n); }
  void behind(const Spot *other) { next = other; }
  void show(class Painter &painter) const;
};
class Painter {
 public:
  virtual ~Painter() {}
  virtual void dot(const Spot &spot) = 0;
  virtual bool dot(std::unique_ptr<Spot> spot) = 0;
  virtual bool line(const Spot *from, const Spot *to, int width) = 0;
  virtual void all(const std::vector<Spot> &spots) = 0;
};
void paint(Painter &painter, double x, int weight);
void give(Painter &painter, int weight);
}
