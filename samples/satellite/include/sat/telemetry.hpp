#ifndef SAT_TELEMETRY_HPP
#define SAT_TELEMETRY_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sat {

/// One telemetry frame: a header of four bytes, then the payload.
class TelemetryFrame {
public:
    /// What stands in front of every frame.
    class Header {
    public:
        Header(std::uint16_t apid, std::uint16_t sequence) : apid_(apid), sequence_(sequence) {}

        /// Application ids have eleven bits, sequence numbers fourteen.
        bool valid() const;

        std::uint16_t apid() const { return apid_; }
        std::uint16_t sequence() const { return sequence_; }

    private:
        std::uint16_t apid_;
        std::uint16_t sequence_;
    };

    TelemetryFrame(const Header& header, const std::vector<std::uint8_t>& payload);

    /// Reads a frame. Throws std::length_error when it is cut short, std::invalid_argument when its header is bad.
    static TelemetryFrame parse(const std::vector<std::uint8_t>& bytes);

    /// Checksum over header and payload.
    std::uint16_t checksum() const;

    /// The payload as text, two digits a byte.
    std::string hex() const;

private:
    Header header_;
    std::vector<std::uint8_t> payload_;
};

}  // namespace sat

#endif
