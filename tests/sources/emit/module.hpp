#pragma once
#include <stdexcept>
#include <string>

namespace sat {

class Module {
 public:
  explicit Module(double autonomy) : autonomy_(autonomy) {}
  bool isAutonomous(double duration) const { return duration <= autonomy_; }
  double remaining(double duration) const;
  void charge(double amount);
  std::string label() const;

 private:
  double autonomy_;
};

}  // namespace sat
