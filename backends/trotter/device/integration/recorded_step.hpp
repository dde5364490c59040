// A step that is recorded once and given as a whole from then on.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include <trotter/device/queue_engine.hpp>

namespace trotter::device {

/// Nothing where the queue cannot record work.
template <DeviceQueue Q> class RecordedStep {
public:
    template <class Step> void give(Engine<Q>&, Step const& step) { step(); }
};

/// The first step after a change is carried out as it comes: it compiles, allocates and uploads, which cannot be
/// recorded.
template <HasGraphs Q> class RecordedStep<Q> {
public:
    /// `step` gives the launches of a step, the same ones until something changes that versions count.
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
    /// What decides which launches a step has, with which arguments.
    struct MadeFor {
        std::uint64_t version;
        long parameters;

        explicit MadeFor(Engine<Q> const& engine)
            : version(engine.queue.version().number()), parameters(engine.host.parameters.version()) {}
        bool operator==(MadeFor const&) const = default;
    };

    std::optional<MadeFor> given_for_;  // the last that was carried out as it came, or recorded
    std::optional<typename Q::Graph> recorded_;
};

}  // namespace trotter::device
