// Local energy minimization, with constraints by springs and multipliers.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <trotter/common/host_state.hpp>
#include <trotter/kernel.hpp>
#include <trotter/minimize.hpp>

namespace trotter {

/// Throws InputError for a tolerance or a number of iterations that makes no sense.
void check(MinimizationSettings const& settings);

/// `evaluate` computes forces with the relative resolution `epsilon`.
MinimizationResult run_minimizer(LocalEnergyMinimizer const& minimizer, HostState& host, ForceEvaluator evaluate,
                                 double epsilon);

template <HostBackend B, Precision P> struct Kernel<LocalEnergyMinimizer, B, P> {
    Kernel(LocalEnergyMinimizer const& minimizer, Engine<B, P>& engine) : minimizer_(minimizer) {
        // A precision that was chosen at run time is known to the engine alone.
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
