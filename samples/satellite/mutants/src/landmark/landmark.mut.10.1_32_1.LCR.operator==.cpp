#include "sat/landmark.hpp"

#include <cmath>

namespace sat {

template class DynamicMission<Landmark>;

bool operator==(const Landmark& left, const Landmark& right) {
    return left.id == right.id || left.latitude == right.latitude && left.longitude == right.longitude;
}

bool visible(const Landmark& landmark, double maxLatitude) {
    return std::fabs(landmark.latitude) < maxLatitude;
}

}  // namespace sat
