// The state that a rejected trial returns to.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Positions and box before a trial, and velocities and forces if these change: of a state on the host. A device's is
/// `device::SavedState`.
class SavedState {
public:
    void save_positions(HostState const& host) {
        box_ = host.box;
        positions_ = host.positions;
        has_motion_ = false;
    }
    void save(HostState const& host) {
        save_positions(host);
        velocities_ = host.velocities;
        forces_ = host.forces;
        has_motion_ = true;
    }
    /// Gives back what was saved, which is then to be saved anew.
    void restore(HostState& host) {
        host.box = box_;
        host.positions.swap(positions_);
        if (!std::exchange(has_motion_, false)) return;
        host.velocities.swap(velocities_);
        host.forces.swap(forces_);
    }
    std::vector<Vec3<>> const& positions() const { return positions_; }

private:
    Box box_{};
    std::vector<Vec3<>> positions_, velocities_, forces_;
    bool has_motion_ = false;
};

}  // namespace trotter
