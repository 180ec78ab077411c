#ifndef SAT_DYNAMIC_MISSION_HPP
#define SAT_DYNAMIC_MISSION_HPP

#include "sat/mission.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sat {

/// A mission that ends when its objectives are achieved.
template <class ObjectiveT>
class DynamicMission : public Mission {
public:
    explicit DynamicMission(double objectivesAchievedPerHour) : objectivesAchievedPerHour_(objectivesAchievedPerHour) {}

    DynamicMission(std::vector<ObjectiveT> objectives, double objectivesAchievedPerHour)
        : objectives_(std::move(objectives)), objectivesAchievedPerHour_(objectivesAchievedPerHour) {}

    /// Adds an objective, unless it is there already; says whether it was added.
    bool addObjective(const ObjectiveT& objective) {
        if (std::find(objectives_.begin(), objectives_.end(), objective) != objectives_.end()) {
            return false;
        }
        objectives_.push_back(objective);
        return true;
    }

    /// Takes an objective off the list.
    void objectiveAchieved(const ObjectiveT& objective) {
        objectives_.erase(std::remove(objectives_.begin(), objectives_.end(), objective), objectives_.end());
    }

    /// How many objectives are left.
    std::size_t objectivesToAchieve() const { return objectives_.size(); }

    double duration() const override {
        return static_cast<double>(objectivesToAchieve()) * objectivesAchievedPerHour_;
    }

private:
    std::vector<ObjectiveT> objectives_;
    double objectivesAchievedPerHour_;
};

}  // namespace sat

#endif
