#include "sat/telemetry.hpp"

#include <stdexcept>

namespace sat {

namespace {

constexpr std::size_t headerBytes = 4;

std::uint16_t fold(std::uint16_t sum, std::uint8_t byte) {
    const bool carry = (sum & 0x8000) != 0;
    const auto shifted = static_cast<std::uint16_t>((sum << 1) | (carry ? 1 : 0));
    return static_cast<std::uint16_t>(shifted ^ byte);
}

}  // namespace

static char digit(unsigned nibble) {
    const unsigned low = nibble & 0x0f;
    return static_cast<char>(low <= 10 ? '0' + low : 'a' + low - 10);
}

bool TelemetryFrame::Header::valid() const {
    return apid_ < 0x800 && sequence_ < 0x4000;
}

TelemetryFrame::TelemetryFrame(const Header& header, const std::vector<std::uint8_t>& payload)
    : header_(header), payload_(payload) {
    if (!header_.valid()) {
        throw std::invalid_argument("bad frame header");
    }
}

TelemetryFrame TelemetryFrame::parse(const std::vector<std::uint8_t>& bytes) {
    if (bytes.size() < headerBytes) {
        throw std::length_error("frame is cut short");
    }
    const auto apid = static_cast<std::uint16_t>((bytes[0] << 8) | bytes[1]);
    const auto sequence = static_cast<std::uint16_t>((bytes[2] << 8) | bytes[3]);
    return TelemetryFrame(Header(apid, sequence), std::vector<std::uint8_t>(bytes.begin() + headerBytes, bytes.end()));
}

std::uint16_t TelemetryFrame::checksum() const {
    std::uint16_t sum = header_.apid();
    for (std::size_t i = 0; i < payload_.size(); ++i) {
        sum = fold(sum, payload_[i]);
    }
    return static_cast<std::uint16_t>(sum + header_.sequence());
}

std::string TelemetryFrame::hex() const {
    std::string text;
    for (const std::uint8_t byte : payload_) {
        text += digit(byte >> 4);
        text += digit(byte);
    }
    return text;
}

}  // namespace sat
