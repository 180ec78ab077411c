// Functions with a branch that few inputs get into, for measuring how soon each engine does: each `marked` line is mutated.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace narrow {

int unit_circle(double x) {
  if (x == 1.0) return 1;  // marked
  return 0;
}

int decimal(double x) {
  if (x == 0.1) return 1;  // marked
  return 0;
}

int million(double arg) {
  if (arg == 1e6) return 1;  // marked
  return 0;
}

int solved(double x) {
  if (2.0 * x + 3.0 == 11.5) return 1;  // marked
  return 0;
}

int close_to(double x) {
  if (std::fabs(x - 42.125) < 1e-9) return 1;  // marked
  return 0;
}

int magic(std::uint32_t n) {
  if (n == 0x5ca1ab1eu) return 1;  // marked
  return 0;
}

int computed(std::int32_t n) {
  if (n * 7 + 3 == 12345679) return 1;  // marked
  return 0;
}

int masked(std::uint64_t n) {
  if ((n ^ 0xdeadbeefcafebabeull) == 0x1234u) return 1;  // marked
  return 0;
}

int related(std::int32_t a, std::int32_t b) {
  if (a > 1000 && b == a + 17) return 1;  // marked
  return 0;
}

int nested(int a, int b, int c) {
  if (a == 4711) {
    if (b == -815) {
      if (c == 31337) return 1;  // marked
    }
  }
  return 0;
}

int command(const char *name) {
  if (std::strcmp(name, "calibrate") == 0) return 1;  // marked
  return 0;
}

int topic(const std::string &name) {
  if (name == "telemetry/attitude") return 1;  // marked
  return 0;
}

int prefix(const std::string &line) {
  if (line.size() > 8 && line.compare(0, 4, "$GPG") == 0 && line[5] == ',') return 1;  // marked
  return 0;
}

int number(const char *text) {
  if (std::atoi(text) == 90210) return 1;  // marked
  return 0;
}

int looked_up(const std::string &key) {
  static const std::map<std::string, int> table = {{"alpha", 1}, {"kappa", 2}, {"omega", 3}};
  const auto found = table.find(key);
  if (found != table.end() && found->second == 2) return 1;  // marked
  return 0;
}

int four_letters(std::uint32_t code) {
  switch (code) {
    case 0x52494646: return 1;  // marked
    default: return 0;
  }
}

int sum_of(const std::vector<std::uint8_t> &frame) {
  if (frame.size() < 4) return 0;
  std::uint8_t sum = 0;
  for (std::size_t i = 0; i + 1 < frame.size(); ++i) sum = static_cast<std::uint8_t>(sum + frame[i]);
  if (sum != 0 && sum == frame.back()) return 1;  // marked
  return 0;
}

int crc_of(const std::vector<std::uint8_t> &frame) {
  if (frame.size() < 5) return 0;
  std::uint16_t crc = 0xffff;
  for (std::size_t i = 0; i + 2 < frame.size(); ++i) {
    crc = static_cast<std::uint16_t>(crc ^ (frame[i] << 8));
    for (int bit = 0; bit < 8; ++bit) crc = static_cast<std::uint16_t>(crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1);
  }
  if (crc == (frame[frame.size() - 2] << 8 | frame.back())) return 1;  // marked
  return 0;
}

int sorted(const std::vector<int> &list) {
  if (list.size() < 5) return 0;
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (list[i - 1] >= list[i]) return 0;
  }
  return 1;  // marked
}

class Latch {
 public:
  void press(int key) { state_ = key == 7 * state_ + 3 ? state_ + 1 : 0; }
  int open() const {
    if (state_ == 3) return 1;  // marked
    return 0;
  }

 private:
  int state_ = 0;
};

}  // namespace narrow
