// Whether forces that a device still has are those that it would compute again.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <trotter/box.hpp>
#include <trotter/device/engine.hpp>

namespace trotter::device {

/// What forces depend on, as far as the host knows; positions that change without are those of a step.
struct EvaluatedFor {
    std::uint64_t evaluations = 0;
    long parameters = -1;
    std::int64_t epoch = -1;
    Box box{};

    EvaluatedFor() = default;
    template <DeviceQueue Q>
    explicit EvaluatedFor(Engine<Q> const& engine)
        : evaluations(engine.host.evaluations), parameters(engine.host.parameters.version()), epoch(engine.epoch),
          box(engine.host.box) {}
    bool operator==(EvaluatedFor const&) const = default;
};

}  // namespace trotter::device
