#include "sat/clock.hpp"

namespace sat {

double MissionClock::elapsedHours_ = 24.0;

double MissionClock::advance(double hours) {
    if (hours > 0.0) {
        elapsedHours_ -= hours;
    }
    return elapsedHours_;
}

}  // namespace sat
