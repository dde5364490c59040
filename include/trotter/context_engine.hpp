// The engine of a Context, and where the state is.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <trotter/concepts.hpp>
#include <trotter/error.hpp>
#include <trotter/kernel.hpp>
#include <trotter/owned.hpp>

namespace trotter {

/// Positions, velocities and forces may be on a device: `held` brings them home to be changed, `seen` has a copy of
/// them to be read. All else is always in `host`. All throw InputError where the Context has been moved from.
template <Backend B, Precision P> class ContextEngine {
public:
    ContextEngine(Owned<Engine<B, P>> engine) : engine_(std::move(engine)) {}

    Engine<B, P>& owned() const {
        if (!engine_) throw InputError("this Context has been moved from");
        return *engine_;
    }
    auto& host() { return owned().host; }
    auto const& host() const { return owned().host; }
    auto& held() {
        if constexpr (requires { engine_->bring_home(); }) owned().bring_home();
        return owned().host;
    }
    auto const& seen() const {
        if constexpr (requires { engine_->refresh_host(); }) owned().refresh_host();
        return owned().host;
    }
    /// The same for time and step size, which the device knows alone where it chooses them.
    auto& clocked() const {
        if constexpr (requires { engine_->refresh_clock(); }) owned().refresh_clock();
        return owned().host;
    }
    /// A step that leaves the state on a device has placed the virtual sites.
    bool is_away() const {
        if constexpr (requires { engine_->is_away(); })
            return engine_->is_away();
        else
            return false;
    }

private:
    mutable Owned<Engine<B, P>> engine_;  // reading may mean to fetch
};

}  // namespace trotter
