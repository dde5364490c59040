// Kernel of all splitting integrators (kicks, drifts, Ornstein-Uhlenbeck steps) with fixed step size.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/common/integration/live_integrator.hpp>
#include <trotter/common/integration/operator_sequence.hpp>
#include <trotter/common/integration/sequence_stepper.hpp>
#include <trotter/kernel.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// An integrator with a splitting, of fixed or variable step size.
template <class I>
concept SplittingStep = Integrator<I> && requires {
    I::splitting.letters;
};
template <class I>
concept VariableStep = SplittingStep<I> && requires(I const& i) {
    i.error_tolerance;
};

/// One whose deterministic part is a Metropolis trial: declares `static constexpr bool is_metropolized = true`.
template <class I>
concept MetropolizedStep = SplittingStep<I> && requires {
    requires I::is_metropolized;
};
/// One with multiple time steps.
template <class I>
concept NestedSplittingStep = Integrator<I> && requires {
    I::nested_splitting.letters;
};
template <class I>
concept FixedSplittingStep =
    (SplittingStep<I> && !VariableStep<I> && !MetropolizedStep<I>) || NestedSplittingStep<I>;

/// Velocity damping factor of an Ornstein-Uhlenbeck step of `time` [ps].
template <class T> T velocity_decay(T const& time, T const& friction) {
    using std::exp;
    return exp(-friction * time);
}
/// Standard deviation of its noise [nm/ps·√amu].
template <class T> T velocity_spread(T const& time, T const& friction, T const& temperature) {
    using std::expm1, std::sqrt;
    return sqrt(-expm1(-2 * friction * time) * constants::gas_constant * temperature);
}

/// The integrator's splitting in run-time form.
template <class I> OperatorSequence sequence_of(I const& integrator) {
    if constexpr (NestedSplittingStep<I>)
        return OperatorSequence(I::nested_splitting);
    else
        return {I::splitting, integrator.force_groups};
}
template <class I> constexpr std::size_t noises_in_step() {
    if constexpr (NestedSplittingStep<I>)
        return I::nested_splitting.count({'O', 0});
    else
        return I::splitting.count('O');
}

/// Sets decay and noise of an O for this step size.
template <class I> void set_thermostat(StepNumbers& numbers, I const& integrator) {
    if constexpr (noises_in_step<I>() > 0) {
        double const time = numbers.step_size / static_cast<double>(noises_in_step<I>());
        numbers.decay = velocity_decay(time, integrator.friction);
        numbers.spread = velocity_spread(time, integrator.friction, integrator.temperature);
    }
}
/// For an integrator with fixed step size.
template <class I> StepNumbers step_numbers(I const& integrator) {
    auto numbers = fixed_step(integrator);
    set_thermostat(numbers, integrator);
    return numbers;
}

/// Time by which stored velocities lag behind the positions [ps].
template <class I> double velocity_offset_of(I const& integrator) {
    if constexpr (NestedSplittingStep<I>)
        return 0;
    else
        return I::splitting.velocity_offset() * integrator.step_size;
}

/// Verlet, Langevin, every SplittingIntegrator and MultipleStepIntegrator.
template <FixedSplittingStep I, HostBackend B, Precision P> struct Kernel<I, B, P> : LiveIntegrator<I> {
    Kernel(I const& integrator, Engine<B, P>& engine, Registration who)
        : LiveIntegrator<I>(integrator),
          stepper_(sequence_of(integrator), engine.host.random_stream(seed_of(integrator), who.stream), engine.host.size()) {}

    void step(HostState& host, ForceEvaluator evaluate) {
        require_positive(I::name, "step size", integrator_.step_size);
        stepper_.step(host, evaluate, step_numbers(integrator_));
        host.time += integrator_.step_size;
    }

    /// At the time of the positions for deterministic leapfrog; otherwise from the stored velocities.
    double kinetic_energy(HostState& host, ForceEvaluator evaluate) {
        double const offset = noises_in_step<I>() > 0 ? 0 : velocity_offset();
        return shifted_kinetic_energy(host, evaluate, offset, integrator_.constraint_tolerance);
    }
    double velocity_offset() const { return velocity_offset_of(integrator_); }

private:
    using LiveIntegrator<I>::integrator_;
    SequenceStepper stepper_;
};

}  // namespace trotter
