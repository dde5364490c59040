// What a step on a device begins with.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace trotter::device {

/// Launches to be given once, one after the other, beside the first forces of the next step or before anybody looks at
/// the state.
class StepBegin {
public:
    using Work = std::function<void()>;

    /// Every step has these.
    void add(Work work) { parts_.push_back({std::move(work), false}); }
    /// This step alone has them, after those that there are by now: given at once where there are none.
    void add_once(Work work) {
        if (parts_.empty()) return work();
        parts_.push_back({std::move(work), true});
    }
    /// Recorded steps do not have them all.
    bool is_unusual() const {
        return std::any_of(parts_.begin(), parts_.end(), [](Part const& part) { return part.is_of_one_step; });
    }
    template <class Engine> void give(Engine& engine) {
        if (parts_.empty()) return;
        engine.beside([parts = std::exchange(parts_, {})] {
            for (auto const& part : parts) part.work();
        });
    }
    /// Where a recorded step has them, or none will be taken.
    void drop() { parts_.clear(); }

private:
    struct Part {
        Work work;
        bool is_of_one_step;
    };
    std::vector<Part> parts_;
};

}  // namespace trotter::device
