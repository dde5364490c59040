// Local energy minimization.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <functional>
#include <span>
#include <string_view>

#include <trotter/concepts.hpp>
#include <trotter/core/request.hpp>
#include <trotter/kernel.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Passed to `report` after each iteration.
struct MinimizationProgress {
    int iteration = 0;  ///< counted from 1
    double energy = 0;            ///< of the forces [kJ/mol]
    double rms_force = 0;         ///< of forces and constraint springs [kJ/mol/nm]
    double spring_energy = 0;     ///< of the constraints' springs and multipliers [kJ/mol]
    double spring_constant = 0;   ///< [kJ/mol/nm²]
    double constraint_error = 0;  ///< largest, relative to the constraint's distance
    std::span<Vec3<> const> positions{};  ///< [nm]
    std::span<Vec3<> const> gradient{};   ///< of the total energy at these [kJ/mol/nm]
};

/// When to stop: a `std::stop_token`, or any object with `stop_requested()`; never, by default. The header of the token
/// takes as long to compile as all forces together, and only its users need it.
class StopCondition {
public:
    StopCondition() = default;
    /// Copies the token.
    template <class Stop>
        requires requires(Stop const& stop) { { stop.stop_requested() } -> std::convertible_to<bool>; }
    StopCondition(Stop stop) : asks_([stop] { return stop.stop_requested(); }) {}

    /// False without a token.
    bool stop_requested() const { return asks_ && asks_(); }

private:
    std::function<bool()> asks_;
};

/// Settings of the minimizer.
struct MinimizationSettings {
    /// Root mean square of the force on a movable particle to reach [kJ/mol/nm]; the search continues to half of it,
    /// which lowers the energy by far more than the few steps cost.
    double tolerance = 10;
    int max_iterations = 0;  ///< 0: as many as it takes
    StopCondition stop{};  ///< checked between iterations
    std::function<bool(MinimizationProgress const&)> report{};  ///< returns true to stop
};

/// Energy and force at the minimum.
struct MinimizationResult {
    double energy = 0;     ///< at the end, constraints applied [kJ/mol]
    double rms_force = 0;  ///< over movable particles, constraint springs included [kJ/mol/nm]
    int iterations = 0;  ///< of L-BFGS
};

/// The operation that backends implement.
struct LocalEnergyMinimizer {
    static constexpr std::string_view name = "LocalEnergyMinimizer";  ///< type name, in messages and files
    MinimizationSettings settings{};  ///< as given to `minimize`
    double constraint_tolerance = 1e-5;  ///< relative error of constrained distances
};

template <class S, Backend B, Precision P, class Integrators> class Context;

/// Moves the particles of a Context to a local minimum of the energy of the integrator's force groups: L-BFGS with
/// constraints by springs and multipliers, which hold in the end within the integrator's tolerance. Massless particles
/// stay, virtual sites follow their parents. The energy never ends above that of the start with constraints applied.
/// Throws InputError for a tolerance of 0 or less, SimulationError if energies are not finite or constraints fail.
template <class S, Backend B, Precision P, class Integrators>
MinimizationResult minimize(Context<S, B, P, Integrators>& context, MinimizationSettings const& settings = {}) {
    double const tolerance =
        context.visit_integrator([](auto& kernel) { return kernel.integrator().constraint_tolerance; });
    Kernel<LocalEnergyMinimizer, B, P> kernel({settings, tolerance}, context.engine());
    auto evaluate = [&](Request const& request) { return context.evaluate_unchecked(request); };
    return kernel.run(context.engine(), ForceEvaluator(evaluate));
}

}  // namespace trotter
