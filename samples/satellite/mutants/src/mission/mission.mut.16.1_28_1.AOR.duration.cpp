#include "sat/mission.hpp"

#include "sat/clock.hpp"

#include <stdexcept>

namespace sat {

bool Mission::longerThan(const Mission& other) const {
    return duration() > other.duration();
}

StaticMission::StaticMission(double presetDuration) : presetDuration_(presetDuration) {}

double StaticMission::duration() const {
    return presetDuration_ + MissionClock::elapsedTime();
}

void StaticMission::extend(double hours) {
    if (hours < 0.0) {
        throw std::invalid_argument("a mission can't be extended by less than nothing");
    }
    presetDuration_ += hours;
}

}  // namespace sat
