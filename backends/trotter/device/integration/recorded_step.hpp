// Records a step once and replays it as a graph.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include <trotter/device/queue_engine.hpp>

namespace trotter::device {

/// Fallback for queues that cannot record work: runs the step.
template <DeviceQueue Q> class RecordedStep {
public:
    template <class Step> void give(Engine<Q>&, Step const& step) { step(); }
};

/// Launches the first step after a change directly: it compiles, allocates and uploads, which cannot be recorded.
template <HasGraphs Q> class RecordedStep<Q> {
public:
    /// `step` makes the launches of a step, the same until the version changes.
    template <class Step> void give(Engine<Q>& engine, Step const& step) {
        if (!(given_for_ == MadeFor(engine))) {
            recorded_.reset();
            step();
            given_for_ = MadeFor(engine);
            return;
        }
        if (!recorded_)
            recorded_ = engine.queue.record(step);
        else if constexpr (ChecksGraphs<Q>)
            engine.queue.check(*recorded_, engine.queue.record(step));
        else
            engine.step_begin.drop();
        engine.queue.launch(*recorded_);
    }

private:
    /// Determines a step's launches and their arguments.
    struct MadeFor {
        std::uint64_t version;
        long parameters;

        explicit MadeFor(Engine<Q> const& engine)
            : version(engine.queue.version().number()), parameters(engine.host.parameters.version()) {}
        bool operator==(MadeFor const&) const = default;
    };

    std::optional<MadeFor> given_for_;  // the last one launched or recorded
    std::optional<typename Q::Graph> recorded_;
};

}  // namespace trotter::device
