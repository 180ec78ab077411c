#pragma once
#include <string>
namespace gs {
enum class Mode { Off, Safe, Active, Lost };
typedef unsigned Percent;
class Station {
 public:
  explicit Station(int channel) : channel_(channel) {}
  void open() { open_ = true; }
  void tune(int by) { channel_ += by; }
  bool send(const std::string &stamp, const char *code, Mode mode, Percent level);

 private:
  int channel_;
  bool open_ = false;
  unsigned sent_ = 0;
};
}  // namespace gs
