#ifndef SAT_BEACON_HPP
#define SAT_BEACON_HPP

#include <cstdint>

namespace sat {

/// The radio beacon, whose slots are drawn so that two satellites rarely talk at once.
class Beacon {
public:
    explicit Beacon(std::uint16_t id);

    /// Milliseconds until the next transmission. Drawn anew on every call: never the same twice.
    std::uint32_t nextSlot(std::uint32_t spread) const;

private:
    std::uint16_t id_;
};

}  // namespace sat

#endif
