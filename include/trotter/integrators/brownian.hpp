// Brownian dynamics.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>

namespace trotter {

/// Overdamped dynamics: Δx = dt F/(m friction) + sqrt(2 kT dt/(m friction)) ξ. Velocities are Δx/dt.
/// (D. L. Ermak and J. A. McCammon, J. Chem. Phys. 69, 1352 (1978), without hydrodynamic interactions.)
struct BrownianIntegrator {
    static constexpr std::string_view name = "BrownianIntegrator";  ///< type name, in messages and files

    double temperature = not_set;  ///< [K]
    double friction = not_set;     ///< [1/ps]
    double step_size = not_set;    ///< [ps]
    std::uint64_t seed = 0;  ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;  ///< of distances, relative
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default
};

}  // namespace trotter
