#ifndef SAT_DOWNLINK_HPP
#define SAT_DOWNLINK_HPP

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace sat {

/// Joins messages with `;` into one pass of at most `limit` characters; what does not fit is left out whole.
std::string pack(const std::vector<std::string>& messages, std::size_t limit);

/// The middle one of three redundant sensors, and how many of the four flags ask for a second pass.
double vote(const std::array<double, 3>& sensors);
int repeats(const std::array<bool, 4>& flags);

}  // namespace sat

#endif
