#ifndef SAT_MODE_HPP
#define SAT_MODE_HPP

#include <cstdint>
#include <string>

namespace sat {

enum class Mode : std::uint8_t { Safe, Detumble, Standby, Nominal, Eclipse };
enum class Event { Fault, RatesDamped, Sunrise, Sunset, Command };

/// Which mode the satellite is in, and which comes next.
class ModeController {
public:
    explicit ModeController(Mode mode);

    /// Takes an event; returns the mode that it leads to.
    Mode handle(Event event);

    /// Name of the mode in the telemetry, `label` in front of it.
    std::string describe(const std::string& label) const;

    /// Reaction-wheel gain, held between 1 and 15.
    static int clampGain(int gain);

private:
    Mode mode_;
};

}  // namespace sat

#endif
