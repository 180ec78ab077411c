#include "port.hpp"

namespace {
class DummyPort : public InPort {
 public:
  bool is_open() const override { return false; }
  void poll() override {}
};
}  // namespace

Device::Device() : port_(new DummyPort) {}

Device::~Device() { delete port_; }
