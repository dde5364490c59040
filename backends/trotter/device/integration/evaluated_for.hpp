// Whether the forces on a device are still valid.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <trotter/box.hpp>
#include <trotter/device/queue_engine.hpp>

namespace trotter::device {

/// What forces depend on, as tracked by the host; other position changes are those of a step.
struct EvaluatedFor {
    std::uint64_t evaluations = 0, arrivals = 0;
    long parameters = -1;
    Box box{};

    EvaluatedFor() = default;
    template <DeviceQueue Q>
    explicit EvaluatedFor(Engine<Q> const& engine)
        : evaluations(engine.host.evaluations), arrivals(engine.state.arrivals()), parameters(engine.host.parameters.version()),
          box(engine.host.box) {}
    bool operator==(EvaluatedFor const&) const = default;
};

}  // namespace trotter::device
