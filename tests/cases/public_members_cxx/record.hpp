#pragma once
#include <string>

namespace nav {

struct Epoch {
  Epoch() : week(0), second(0) {}
  int week;
  double second;
};

enum class Quality { none, coarse, fine };

// Nobody sets the members: whoever reads a file does.
struct Fix : Epoch {
  Fix() : satellites(5), lat(0), lon(0), quality(Quality::none) {}
  bool valid() const;
  short satellites;
  double lat, lon;
  Quality quality;
  std::string station;
};

int grade(const Fix &fix);
std::string label(const Fix &fix);

}  // namespace nav
