// Leapfrog Verlet with a fixed and with a variable step.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>
#include <trotter/integrators/splitting.hpp>

namespace trotter {

/// Leapfrog: velocities lag half a step behind the positions (L. Verlet, Phys. Rev. 159, 98 (1967); R. W. Hockney,
/// Methods Comput. Phys. 9, 136 (1970)).
struct VerletIntegrator {
    static constexpr std::string_view name = "VerletIntegrator";  ///< type name, in messages and files
    static constexpr Splitting splitting{"V R"};  ///< leapfrog: kick and drift

    double step_size = not_set;          ///< [ps]
    double constraint_tolerance = 1e-5;  ///< of distances, relative
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default
};

/// Leapfrog with a variable step that keeps the estimated position error below a tolerance.
struct VariableVerletIntegrator {
    static constexpr std::string_view name = "VariableVerletIntegrator";  ///< type name, in messages and files
    static constexpr Splitting splitting{"V R"};  ///< leapfrog: kick and drift

    double error_tolerance = 1e-4;  ///< [nm]
    double maximum_step_size = 0;   ///< [ps]; 0: no limit
    double step_size = 0;           ///< of the last step [ps]
    double constraint_tolerance = 1e-5;  ///< of distances, relative
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default
};

}  // namespace trotter
