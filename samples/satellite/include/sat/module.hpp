#ifndef SAT_MODULE_HPP
#define SAT_MODULE_HPP

namespace sat {

/// A part of the satellite that lives on its batteries.
class SatelliteModule {
public:
    SatelliteModule(double power, double consumedWatts);
    virtual ~SatelliteModule() = default;

    /// Hours before being out of charge.
    double getAutonomy() const;

    /// Takes `watts` out of the batteries; what is not there can't be taken.
    void consume(double watts);

protected:
    /// Average consumption in watts per hour.
    virtual double getAverageConsumption() const;

    double consumedWatts() const { return consumedWatts_; }

private:
    /// Charge in watts per hour.
    double getCharge() const { return power_; }

    double power_;
    double consumedWatts_;
};

}  // namespace sat

#endif
