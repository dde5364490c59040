// Drift of positions with constraints.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/common/host_state.hpp>

namespace trotter::drude {

/// Moves particles by their velocities and applies the constraints, whose impulse also acts on the velocities.
class Drift {
public:
    void operator()(HostState& host, double dt, double constraint_tolerance);

private:
    std::vector<Vec3<>> start_, moved_;
};

}  // namespace trotter::drude
