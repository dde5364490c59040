// One kernel for every integrator that is a splitting into kicks, drifts and Ornstein-Uhlenbeck steps of a fixed size.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/common/integration/live_integrator.hpp>
#include <trotter/common/integration/operator_sequence.hpp>
#include <trotter/common/integration/sequence_stepper.hpp>
#include <trotter/kernel.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// An integrator that states its splitting, with steps of a fixed size or such that follow the forces.
template <class I>
concept SplittingStep = Integrator<I> && requires {
    I::splitting.letters;
};
template <class I>
concept VariableStep = SplittingStep<I> && requires(I const& i) {
    i.error_tolerance;
};

/// One whose deterministic letters are a try: it says `static constexpr bool is_metropolized = true`.
template <class I>
concept MetropolizedStep = SplittingStep<I> && requires {
    requires I::is_metropolized;
};
/// With several time steps.
template <class I>
concept NestedSplittingStep = Integrator<I> && requires {
    I::nested_splitting.letters;
};
template <class I>
concept FixedSplittingStep =
    (SplittingStep<I> && !VariableStep<I> && !MetropolizedStep<I>) || NestedSplittingStep<I>;

/// What is left of velocities after an Ornstein-Uhlenbeck step of `time` [ps].
template <class T> T velocity_decay(T const& time, T const& friction) {
    using std::exp;
    return exp(-friction * time);
}
/// The standard deviation of the noise that it adds [nm/ps·√amu].
template <class T> T velocity_spread(T const& time, T const& friction, T const& temperature) {
    using std::expm1, std::sqrt;
    return sqrt(-expm1(-2 * friction * time) * constants::gas_constant * temperature);
}

/// What the integrator states, at run time.
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

/// Sets what an O does in a step of this size.
template <class I> void set_thermostat(StepNumbers& numbers, I const& integrator) {
    if constexpr (noises_in_step<I>() > 0) {
        double const time = numbers.step_size / static_cast<double>(noises_in_step<I>());
        numbers.decay = velocity_decay(time, integrator.friction);
        numbers.spread = velocity_spread(time, integrator.friction, integrator.temperature);
    }
}
/// Of an integrator whose step has a fixed size.
template <class I> StepNumbers step_numbers(I const& integrator) {
    auto numbers = fixed_step(integrator);
    set_thermostat(numbers, integrator);
    return numbers;
}

/// By which stored velocities lag behind the positions [ps].
template <class I> double velocity_offset_of(I const& integrator) {
    if constexpr (NestedSplittingStep<I>)
        return 0;
    else
        return I::splitting.velocity_offset() * integrator.step_size;
}

/// Verlet, Langevin, every SplittingIntegrator and MultipleStepIntegrator: the same step size throughout.
template <FixedSplittingStep I, HostBackend B, Precision P> struct Kernel<I, B, P> : LiveIntegrator<I> {
    Kernel(I const& integrator, Engine<B, P>& engine, Registration who)
        : LiveIntegrator<I>(integrator),
          stepper_(sequence_of(integrator), engine.host.random_stream(seed_of(integrator), who.stream), engine.host.size()) {}

    void step(HostState& host, ForceEvaluator evaluate) {
        require_positive(I::name, "step size", integrator_.step_size);
        stepper_.step(host, evaluate, step_numbers(integrator_));
        host.time += integrator_.step_size;
    }

    /// Of a deterministic leapfrog at the time of the positions; else with velocities as they are stored.
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
