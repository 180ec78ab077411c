// The project's own small test suite: green on the original, and too weak to notice most of the mutants.
#include "sat/beacon.hpp"
#include "sat/chargeable.hpp"
#include "sat/clock.hpp"
#include "sat/downlink.hpp"
#include "sat/landmark.hpp"
#include "sat/mission.hpp"
#include "sat/mode.hpp"
#include "sat/power.hpp"
#include "sat/telemetry.hpp"
#include "sat/vector3.hpp"

#include <cstdio>
#include <stdexcept>

static int failures = 0;

static void check(bool holds, const char* what) {
    if (!holds) {
        std::printf("FAILED: %s\n", what);
        ++failures;
    }
}

static void missions() {
    const sat::ChargeableModule module(100.0, 48.0, 24.0, 50.0);
    check(module.isAutonomous(sat::StaticMission(30.0)), "a short mission is within the autonomy");
    check(!module.isAutonomous(sat::StaticMission(500.0)), "a long mission is not");
    check(!module.isCharging(), "a module that takes more than it gets is not charging");

    sat::DynamicMission<sat::Landmark> survey({{1, 49.6, 6.1}, {2, 45.4, -75.7}}, 2.0);
    check(survey.duration() == 1.0, "two landmarks at two an hour take an hour");
    survey.objectiveAchieved({1, 49.6, 6.1});
    check(survey.objectivesToAchieve() == 1, "an achieved objective leaves the list");
    check(sat::visible({1, 49.6, 6.1}, 80.0), "Luxembourg is visible from a polar orbit");

    check(sat::StaticMission(50.0).longerThan(survey), "the preset mission is the longer one");
    sat::StaticMission mission(30.0);
    mission.extend(4.0);
    check(mission.duration() == 10.0, "an extended mission ends later");
}

static void power() {
    sat::PowerLedger ledger(10.0);
    {
        const sat::PowerLease lease(ledger, 4.0);
        check(lease.granted() && ledger.leases() == 1, "a lease is granted");
    }
    check(ledger.leases() == 0, "a lease ends with its scope");
}

static void vectors() {
    const sat::Vector3 x = sat::Vector3::along(sat::Axis::X);
    check(x.cross(sat::Vector3::along(sat::Axis::Y)) == sat::Vector3::along(sat::Axis::Z), "x cross y is z");
    check(dot(x, x) == 1.0, "a unit vector has length one");
    check((x + x)[0] == 2.0, "vectors add up");
}

static void telemetry() {
    const sat::TelemetryFrame frame = sat::TelemetryFrame::parse({0x01, 0x02, 0x00, 0x07, 0xab});
    check(frame.hex() == "ab", "the payload is shown as text");
    bool refused = false;
    try {
        sat::TelemetryFrame::parse({0x01});
    } catch (const std::length_error&) {
        refused = true;
    }
    check(refused, "a short frame is refused");
    check(sat::pack({"a", "b"}, 10) == "a;b;", "messages are joined");
    check(sat::vote({1.0, 2.0, 3.0}) == 2.0, "the middle sensor wins");
}

static void modes() {
    sat::ModeController controller(sat::Mode::Nominal);
    check(controller.handle(sat::Event::Sunset) == sat::Mode::Eclipse, "sunset leads to eclipse");
    check(controller.handle(sat::Event::Fault) == sat::Mode::Safe, "a fault leads to safe mode");
    check(controller.describe("") == "mode=LOW", "safe mode is a low-power mode");
    check(sat::ModeController::clampGain(7) == 7, "a gain in range is kept");
}

int main() {
    missions();
    power();
    vectors();
    telemetry();
    modes();
    sat::Beacon(7).nextSlot(100);
    check(sat::MissionClock::advance(0.0) == sat::MissionClock::elapsedTime(), "no time passes in no time");
    return failures == 0 ? 0 : 1;
}
