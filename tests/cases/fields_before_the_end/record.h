#pragma once
#include <map>
#include <string>
#include <vector>

class Sink {
 public:
  virtual ~Sink() {}
  virtual void point(double x, double y) = 0;
};

// Fields come one by one; the end tells the sink of all of them.
class Record {
 public:
  bool take(Sink &sink, int code, const std::string &value);
  void end(Sink &sink);
  void setName(const std::string &name) { name_ = name; }
  void addColour(int colour) { colour_ += colour; }

 private:
  double number(int code) const;
  std::map<int, std::string> fields_;
  std::string name_;
  int colour_ = 0;
};

// Each writes in a way of its own.
class Hidden {
 public:
  void setLimit(int limit) { limit_ = limit; }
  void turn(int rate) {
    int &it = rate_;
    it = rate;
  }
  void fill(int value) {
    for (int &cell : cells_) cell = value;
  }
  void note(double rate) { rates().push_back(rate); }
  int level() const;
  int sum() const;
  int many() const;

 private:
  std::vector<double> &rates() { return rates_; }
  int limit_ = 0;
  int rate_ = 0;
  int cells_[3] = {0, 0, 0};
  std::vector<double> rates_;
};

class Tank {
 public:
  void addLabel(int label) { label_ = label; }
  bool pour(int litres);
  int level() const;

 private:
  int label_ = 0;
  int litres_ = 0;
};
