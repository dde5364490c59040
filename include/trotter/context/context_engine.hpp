// The engine of a Context, with the state on the host or on a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <trotter/base/owned.hpp>
#include <trotter/concepts.hpp>
#include <trotter/error.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// Positions, velocities and forces may be on a device: `held` moves the state to the host for writing; `seen`
/// synchronizes a copy for reading. All else is always in `host`. All throw InputError after a move from the Context.
template <Backend B, Precision P> class ContextEngine {
public:
    /// Takes over the engine.
    ContextEngine(Owned<Engine<B, P>> engine) : engine_(std::move(engine)) {}

    /// The engine. Throws InputError after a move from the Context.
    Engine<B, P>& owned() const {
        if (!engine_) throw InputError("this Context has been moved from");
        return *engine_;
    }
    ///@{
    /// State and particles as the host has them; positions, velocities and forces may lag behind those of a device.
    auto& host() { return owned().host; }
    auto const& host() const { return owned().host; }
    ///@}
    /// The state, moved to the host to be changed.
    auto& writable_state() {
        if constexpr (requires { engine_->move_state_to_host(); }) owned().move_state_to_host();
        return owned().host;
    }
    /// The state, with an up-to-date copy on the host to be read.
    auto const& readable_state() const {
        if constexpr (requires { engine_->sync_to_host(); }) owned().sync_to_host();
        return owned().host;
    }
    /// The same for time and step size, which the device knows alone where it chooses them.
    auto& state_with_time() const {
        if constexpr (requires { engine_->sync_clock(); }) owned().sync_clock();
        return owned().host;
    }
    /// A step that leaves the state on a device has placed the virtual sites.
    bool is_state_on_device() const {
        if constexpr (requires { engine_->is_state_on_device(); })
            return engine_->is_state_on_device();
        else
            return false;
    }

private:
    mutable Owned<Engine<B, P>> engine_;  // reading may mean to fetch
};

}  // namespace trotter
