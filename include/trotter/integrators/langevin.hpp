// Langevin dynamics with a fixed and with a variable step.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>
#include <trotter/integrators/splitting.hpp>

namespace trotter {

/// Langevin dynamics by the LFMiddle splitting (Z. Zhang, X. Liu, K. Yan, M. E. Tuckerman, J. Liu,
/// J. Phys. Chem. A 123, 6056 (2019)).
struct LangevinMiddleIntegrator {
    static constexpr std::string_view name = "LangevinMiddleIntegrator";  ///< type name, in messages and files
    static constexpr Splitting splitting{"V R O R"};  ///< middle scheme: kick, half drift, noise, half drift

    double temperature = not_set;  ///< [K]
    double friction = not_set;     ///< [1/ps]
    double step_size = not_set;    ///< [ps]
    std::uint64_t seed = 0;  ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;  ///< relative error of constrained distances
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default
};

/// LangevinMiddleIntegrator under the name used by older files.
struct LangevinIntegrator {
    static constexpr std::string_view name = "LangevinIntegrator";  ///< type name, in messages and files
    static constexpr Splitting splitting{"V R O R"};  ///< middle scheme: kick, half drift, noise, half drift

    double temperature = not_set;  ///< [K]
    double friction = not_set;     ///< [1/ps]
    double step_size = not_set;    ///< [ps]
    std::uint64_t seed = 0;  ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;  ///< relative error of constrained distances
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default
};

/// Langevin dynamics with a variable step that keeps the estimated position error below a tolerance.
struct VariableLangevinIntegrator {
    static constexpr std::string_view name = "VariableLangevinIntegrator";  ///< type name, in messages and files
    static constexpr Splitting splitting{"V R O R"};  ///< middle scheme: kick, half drift, noise, half drift

    double temperature = not_set;   ///< [K]
    double friction = not_set;      ///< [1/ps]
    double error_tolerance = 1e-4;  ///< [nm]
    double maximum_step_size = 0;   ///< [ps]; 0: no limit
    double step_size = 0;           ///< of the last step [ps]
    std::uint64_t seed = 0;         ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;  ///< relative error of constrained distances
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default
};

/// Any splitting of V, R and O as an integrator: `SplittingIntegrator<Splitting{"V R O R V"}>`.
template <auto Product> struct SplittingIntegrator {
    static constexpr std::string_view name = "SplittingIntegrator";  ///< type name, in messages and files
    static constexpr auto splitting = Product;  ///< as given by the template argument

    double temperature = not_set;  ///< [K]
    double friction = not_set;     ///< [1/ps]
    double step_size = not_set;    ///< [ps]
    std::uint64_t seed = 0;  ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;  ///< relative error of constrained distances
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default
};

}  // namespace trotter
