#include "ration.hpp"

namespace ration {

static int rest(int portions, int crew) { return portions % crew; }

int shared(int portions, int crew) { return crew < 2 ? portions : half(portions) + rest(portions, crew); }

}  // namespace ration
