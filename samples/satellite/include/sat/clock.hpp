#ifndef SAT_CLOCK_HPP
#define SAT_CLOCK_HPP

namespace sat {

/// The mission's elapsed time, moved on by the on-board computer and by nothing else.
class MissionClock {
public:
    /// Hours since the start of the mission.
    static double elapsedTime() { return elapsedHours_; }

    /// Moves the clock on and returns the new elapsed time; a clock never goes back.
    static double advance(double hours);

private:
    static double elapsedHours_;
};

}  // namespace sat

#endif
