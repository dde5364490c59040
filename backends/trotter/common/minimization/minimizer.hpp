// Local energy minimization; constraints by springs and Lagrange multipliers.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <trotter/common/host_state.hpp>
#include <trotter/kernel.hpp>
#include <trotter/minimize.hpp>

namespace trotter {

/// Throws InputError for an invalid tolerance or number of iterations.
void check(MinimizationSettings const& settings);

/// `epsilon` is the relative resolution of the forces from `evaluate`.
MinimizationResult run_minimizer(LocalEnergyMinimizer const& minimizer, HostState& host, ForceEvaluator evaluate,
                                 double epsilon);

template <HostBackend B, Precision P> struct Kernel<LocalEnergyMinimizer, B, P> {
    Kernel(LocalEnergyMinimizer const& minimizer, Engine<B, P>& engine) : minimizer_(minimizer) {
        // A precision chosen at run time is known only to the engine.
        if constexpr (requires { engine.real_epsilon(); }) epsilon_ = engine.real_epsilon();
        check(minimizer.settings);
    }

    MinimizationResult run(Engine<B, P>& engine, ForceEvaluator evaluate) {
        return run_minimizer(minimizer_, state_on_host(engine), evaluate, epsilon_);
    }

private:
    LocalEnergyMinimizer minimizer_;
    double epsilon_ = std::numeric_limits<typename P::Real>::epsilon();
};

}  // namespace trotter
