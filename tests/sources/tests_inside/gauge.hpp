#ifndef GAUGE_HPP
#define GAUGE_HPP

namespace gauge {

int clamp(int value, int most);

}  // namespace gauge

#endif
