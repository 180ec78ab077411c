#pragma once

#include "checks.hpp"

namespace ration {

inline int half(int portions) { return checked(portions) / 2; }
int shared(int portions, int crew);

}  // namespace ration
