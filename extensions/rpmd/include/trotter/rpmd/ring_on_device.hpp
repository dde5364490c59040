// Whether and how a backend takes whole steps of a ring polymer itself.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include <trotter/base/random.hpp>

namespace trotter::rpmd {

/// Defined in `device.hpp`.
template <class Queue> class DeviceRing;

/// On hosts, steps are those of Ring.
template <class B> class RingOnDevice {
public:
    template <class Forces> bool can_step(Forces&, RandomStream const&) { return false; }
    template <class... Arguments> void step(Arguments const&...) {}
};

/// A backend that opens a queue on a device: steps stay there if one Context evaluates all forces.
template <class B>
requires requires { typename B::Queue; }
class RingOnDevice<B> {
    using Steps = DeviceRing<typename B::Queue>;
    static_assert(
        requires { sizeof(Steps); }, "ring polymers on this backend need #include <trotter/rpmd/device.hpp>");

public:
    /// Makes what the steps need when first called.
    template <class Forces> bool can_step(Forces& forces, RandomStream const& noise) {
        if (steps_) return true;
        forces.for_each_context([&](auto& context) {
            auto& engine = context.engine().device;
            if (forces.are_in_one_context() && Steps::can_step(engine)) steps_.emplace(engine, noise);
        });
        return steps_.has_value();
    }
    /// See `DeviceRing::step`.
    template <class... Arguments> void step(Arguments&&... arguments) { steps_->step(arguments...); }

private:
    std::optional<Steps> steps_;
};

}  // namespace trotter::rpmd
