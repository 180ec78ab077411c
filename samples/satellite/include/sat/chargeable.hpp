#ifndef SAT_CHARGEABLE_HPP
#define SAT_CHARGEABLE_HPP

#include "sat/mission.hpp"
#include "sat/module.hpp"

namespace sat {

/// A module with solar panels.
class ChargeableModule : public SatelliteModule {
public:
    ChargeableModule(double power, double consumedWatts, double chargedWatts, double chargeBoundary);

    /// True if the mission lasts no longer than the module's autonomy.
    bool isAutonomous(const Mission& mission) const;

    /// The same with a reserve of some hours.
    bool isAutonomous(const Mission& mission, double reserve) const;

    /// Whether the panels bring more than the module takes.
    bool isCharging() const { return chargedWatts_ > consumedWatts(); }

protected:
    double getAverageConsumption() const override;

private:
    using super = SatelliteModule;

    /// Average watts charged per hour.
    double getAverageCharging() const;

    double chargedWatts_;
    double chargeBoundary_;
};

}  // namespace sat

#endif
