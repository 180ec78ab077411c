#include "sat/beacon.hpp"

#include <random>

namespace sat {

Beacon::Beacon(std::uint16_t id) : id_(id) {}

std::uint32_t Beacon::nextSlot(std::uint32_t spread) const {
    std::random_device noise;
    const std::uint32_t drawn = noise();
    return (drawn ^ spread) - id_;
}

}  // namespace sat
