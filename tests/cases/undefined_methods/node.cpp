#include "bus.hpp"
class Node {
  std::uint16_t id_;
 public:
  explicit Node(std::uint16_t id) : id_(id) {}
  int poll(const bus::Clock &clock) {
    bus::Frame frame{};
    if (!bus::receive(frame)) {
      ++bus::timeouts;
      return -1;
    }
    return frame.level - static_cast<int>(clock.now() % 16);
  }
  bool tell(int n) const {
    return bus::send(id_, n > 5 ? "high" : "low") == bus::Status::ok;
  }
  int where() const {
    return bus::Clock::zone(id_ + 1) + bus::last().level;
  }
};
int use(Node &n, bus::Clock &c) { return n.poll(c) + n.tell(1) + n.where(); }
