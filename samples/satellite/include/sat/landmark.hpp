#ifndef SAT_LANDMARK_HPP
#define SAT_LANDMARK_HPP

#include "sat/dynamic_mission.hpp"

#include <cstdint>

namespace sat {

/// A place on the ground to be photographed.
struct Landmark {
    std::uint16_t id;
    double latitude;
    double longitude;
};

bool operator==(const Landmark& left, const Landmark& right);

/// Whether the landmark can be seen from a polar orbit whose track stays below `maxLatitude` degrees.
bool visible(const Landmark& landmark, double maxLatitude);

extern template class DynamicMission<Landmark>;

}  // namespace sat

#endif
