#ifndef SAT_POWER_HPP
#define SAT_POWER_HPP

namespace sat {

/// Who holds how much of the power bus.
class PowerLedger {
public:
    explicit PowerLedger(double available);

    /// Sets watts aside; says whether there were enough.
    bool reserve(double watts);

    /// Gives watts back.
    void release(double watts);

    double available() const { return available_; }
    unsigned leases() const { return leases_; }

private:
    double available_;
    unsigned leases_;
};

/// Holds watts as long as it lives.
class PowerLease {
public:
    PowerLease(PowerLedger& ledger, double watts);
    ~PowerLease();

    PowerLease(const PowerLease&) = delete;
    PowerLease& operator=(const PowerLease&) = delete;

    bool granted() const { return granted_; }

private:
    PowerLedger& ledger_;
    double watts_;
    bool granted_;
};

}  // namespace sat

#endif
