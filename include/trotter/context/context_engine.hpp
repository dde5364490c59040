// The engine of a Context, with the state on the host or on a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <trotter/base/owned.hpp>
#include <trotter/concepts.hpp>
#include <trotter/error.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// Positions, velocities and forces may be on a device: `writable_state` moves them to the host; `readable_state`
/// updates a copy there. All else is always in `host`. All throw InputError after a move from the Context.
template <Backend B, Precision P> class ContextEngine {
public:
    /// Takes ownership of the engine.
    ContextEngine(Owned<Engine<B, P>> engine) : engine_(std::move(engine)) {}

    /// The engine. Throws InputError after a move from the Context.
    Engine<B, P>& owned() const {
        if (!engine_) throw InputError("this Context has been moved from");
        return *engine_;
    }
    ///@{
    /// The host's state and particles; positions, velocities and forces may be out of date if a device has them.
    auto& host() { return owned().host; }
    auto const& host() const { return owned().host; }
    ///@}
    /// The state, moved to the host for writing.
    auto& writable_state() {
        if constexpr (requires { engine_->move_state_to_host(); }) owned().move_state_to_host();
        return owned().host;
    }
    /// The state, with an up-to-date copy on the host for reading.
    auto const& readable_state() const {
        if constexpr (requires { engine_->sync_to_host(); }) owned().sync_to_host();
        return owned().host;
    }
    /// The same for time and step size, which are on the device if it chooses them.
    auto& state_with_time() const {
        if constexpr (requires { engine_->sync_clock(); }) owned().sync_clock();
        return owned().host;
    }
    /// Whether a step left the state on a device; it has placed the virtual sites then.
    bool is_state_on_device() const {
        if constexpr (requires { engine_->is_state_on_device(); })
            return engine_->is_state_on_device();
        else
            return false;
    }

private:
    mutable Owned<Engine<B, P>> engine_;  // mutable: reading may copy from the device
};

}  // namespace trotter
