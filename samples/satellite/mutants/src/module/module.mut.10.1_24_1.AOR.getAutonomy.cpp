#include "sat/module.hpp"

#include "sat/clock.hpp"

namespace sat {

SatelliteModule::SatelliteModule(double power, double consumedWatts) : power_(power), consumedWatts_(consumedWatts) {}

double SatelliteModule::getAutonomy() const {
    return getCharge() * getAverageConsumption();
}

void SatelliteModule::consume(double watts) {
    const double taken = watts > power_ ? power_ : watts;
    power_ -= taken;
    consumedWatts_ += taken;
}

double SatelliteModule::getAverageConsumption() const {
    return consumedWatts() / MissionClock::elapsedTime();
}

}  // namespace sat
