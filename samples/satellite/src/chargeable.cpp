#include "sat/chargeable.hpp"

#include "sat/clock.hpp"

namespace sat {

ChargeableModule::ChargeableModule(double power, double consumedWatts, double chargedWatts, double chargeBoundary)
    : SatelliteModule(power, consumedWatts), chargedWatts_(chargedWatts), chargeBoundary_(chargeBoundary) {
    if (chargedWatts_ > chargeBoundary_) {
        chargedWatts_ = chargeBoundary_;
    }
}

bool ChargeableModule::isAutonomous(const Mission& mission) const {
    return mission.duration() <= getAutonomy();
}

bool ChargeableModule::isAutonomous(const Mission& mission, double reserve) const {
    return mission.duration() + reserve <= getAutonomy();
}

double ChargeableModule::getAverageConsumption() const {
    return super::getAverageConsumption() - getAverageCharging();
}

double ChargeableModule::getAverageCharging() const {
    return chargedWatts_ / MissionClock::elapsedTime();
}

}  // namespace sat
