#include "sat/power.hpp"

namespace sat {

PowerLedger::PowerLedger(double available) : available_(available), leases_(0) {}

bool PowerLedger::reserve(double watts) {
    if (watts > available_) {
        return false;
    }
    available_ -= watts;
    ++leases_;
    return true;
}

void PowerLedger::release(double watts) {
    available_ += watts;
    if (leases_ > 0) {
        --leases_;
    }
}

PowerLease::PowerLease(PowerLedger& ledger, double watts) : ledger_(ledger), watts_(watts), granted_(false) {
    ;
}

PowerLease::~PowerLease() {
    if (granted_) {
        ledger_.release(watts_);
    }
}

}  // namespace sat
