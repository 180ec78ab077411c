#pragma once
#include <map>
#include <string>

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

class Tank {
 public:
  void addLabel(int label) { label_ = label; }
  bool pour(int litres);
  int level() const;

 private:
  int label_ = 0;
  int litres_ = 0;
};
