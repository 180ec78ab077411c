#include "record.hpp"

namespace nav {

bool Fix::valid() const {
  if (satellites < 4) return false;
  return lat > -90 && lat < 90;
}

int grade(const Fix &fix) {
  if (fix.satellites == 0) return -1;
  if (fix.week <= 0) return 0;
  if (fix.quality == Quality::fine) return fix.satellites > 6 ? 3 : 2;
  return 1;
}

std::string label(const Fix &fix) { return fix.station.empty() ? "unknown" : fix.station + "!"; }

}  // namespace nav
