// Work at the beginning of a step on a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace trotter::device {

/// Launches to be made once, in order, concurrently with the first forces of the next step or before the state is read.
class StepBegin {
public:
    using Work = std::function<void()>;

    /// Adds launches of every step.
    void add(Work work) { parts_.push_back({std::move(work), false}); }
    /// Adds launches of this step only, after those already added; launches at once if there are none.
    void add_once(Work work) {
        if (parts_.empty()) return work();
        parts_.push_back({std::move(work), true});
    }
    /// Whether some launches are not part of recorded steps.
    bool is_unusual() const {
        return std::any_of(parts_.begin(), parts_.end(), [](Part const& part) { return part.is_of_one_step; });
    }
    template <class Engine> void give(Engine& engine) {
        if (parts_.empty()) return;
        engine.beside([parts = std::exchange(parts_, {})] {
            for (auto const& part : parts) part.work();
        });
    }
    /// Drops the launches, if they are in a recorded step or no step follows.
    void drop() { parts_.clear(); }

private:
    struct Part {
        Work work;
        bool is_of_one_step;
    };
    std::vector<Part> parts_;
};

}  // namespace trotter::device
