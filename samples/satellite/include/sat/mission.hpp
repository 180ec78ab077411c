#ifndef SAT_MISSION_HPP
#define SAT_MISSION_HPP

namespace sat {

/// Anything that takes a satellite some time.
class Mission {
public:
    virtual ~Mission() = default;

    /// Hours that the mission still lasts.
    virtual double duration() const = 0;

    /// Whether this mission lasts longer than another one.
    bool longerThan(const Mission& other) const;

    /// Whether the mission is over.
    bool isOver() const { return duration() <= 0.0; }
};

/// A mission whose end was fixed before the launch.
class StaticMission : public Mission {
public:
    explicit StaticMission(double presetDuration);

    double duration() const override;

    /// Puts the end off. Throws std::invalid_argument when `hours` is negative.
    void extend(double hours);

private:
    double presetDuration_;
};

}  // namespace sat

#endif
