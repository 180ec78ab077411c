#include "sat/mode.hpp"

namespace sat {

ModeController::ModeController(Mode mode) : mode_(mode) {}

Mode ModeController::handle(Event event) {
    if (event == Event::Fault) {
        mode_ = Mode::Safe;
        return mode_;
    }
    switch (mode_) {
        case Mode::Safe:
            if (event == Event::Command) {
                mode_ = Mode::Detumble;
            }
            break;
        case Mode::Detumble:
            if (event == Event::RatesDamped) {
                mode_ = Mode::Standby;
            }
            break;
        case Mode::Standby:
            if (event == Event::Command) {
                mode_ = Mode::Nominal;
            }
            break;
        case Mode::Nominal:
            if (event == Event::Sunset) {
                mode_ = Mode::Eclipse;
            }
            break;
        case Mode::Eclipse:
            if (event == Event::Sunrise) {
                mode_ = Mode::Nominal;
            }
            break;
    }
    return mode_;
}

std::string ModeController::describe(const std::string& label) const {
    const bool powered = mode_ == Mode::Nominal || mode_ == Mode::Standby;
    std::string text = label.empty() ? "mode" : label;
    text += powered ? "=ON" : "=LOW";
    return text;
}

int ModeController::clampGain(int gain) {
    if (gain < 1) {
        return 1;
    }
    return gain > 15 ? 15 : gain;
}

}  // namespace sat
