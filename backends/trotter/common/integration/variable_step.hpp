// Splittings with variable step size: VariableVerlet and VariableLangevin.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include <trotter/common/integration/splitting.hpp>
#include <trotter/expression/evaluate.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// Next step size [ps]. With forces F and step size h an Euler step errs by about h² F/m: keeps the root mean square of
/// that below the tolerance, at most doubles the step, and ignores growth below a fifth.
template <class T = double>
T next_step_size(std::type_identity_t<T> const& last, std::type_identity_t<T> const& rms_acceleration,
                 std::type_identity_t<T> const& error_tolerance, std::type_identity_t<T> const& limit) {
    using expression::choose, std::min, std::sqrt;
    constexpr float least_growth = 1.2F;
    T next = sqrt(error_tolerance / rms_acceleration);
    next = choose(T(0) < last, min(next, T(2 * last)), next);
    next = choose(last < next, choose(next < T(double{least_growth} * last), last, next), next);
    return min(next, limit);
}

/// Throws SimulationError if the step size is invalid.
template <class I> void check_step_size(double size) {
    if (!(size > 0 && std::isfinite(size)))
        throw SimulationError("the forces give " + std::string(I::name) + " a step size of " + std::to_string(size)
                              + ", expected a positive number; a maximum step size would limit it");
}

/// Integrator with its step on the host.
template <VariableStep I> class VariableStepper : public LiveIntegrator<I> {
public:
    VariableStepper(I const& integrator, HostState const& host, Registration who)
        : LiveIntegrator<I>(integrator),
          noise_(host.random_stream(seed_of(integrator), who.stream)),
          stepper_(sequence_of(integrator), noise_, host.size()) {}

    void step(HostState& host, ForceEvaluator const& evaluate) {
        step_within(std::numeric_limits<double>::infinity(), host, evaluate);
    }

    /// Takes one step, shortened to end at `end_time` [ps] if it would pass it.
    void step_towards(double end_time, HostState& host, ForceEvaluator const& evaluate) {
        double const room = end_time - host.time;
        step_within(room, host, evaluate);
        if (integrator_.step_size == room) host.time = end_time;
    }

    /// With velocities advanced by half of the last step, to the time of the positions.
    double kinetic_energy(HostState& host, ForceEvaluator const& evaluate) {
        return shifted_kinetic_energy(host, evaluate, 0.5 * integrator_.step_size, integrator_.constraint_tolerance);
    }
    RandomStream const& noise() const { return noise_; }
    double velocity_offset() const { return 0; }

protected:
    using LiveIntegrator<I>::integrator_;

private:
    void step_within(double limit, HostState& host, ForceEvaluator const& evaluate) {
        evaluate({host.integration_groups, false});
        double const last = integrator_.step_size, next = choose_step_size(limit, host);
        StepNumbers numbers{
            .step_size = next, .kick_size = next, .constraint_tolerance = integrator_.constraint_tolerance};
        if constexpr (I::splitting.is_stochastic())
            set_thermostat(numbers, integrator_);
        else
            numbers.kick_size = 0.5 * (last + next);  // from the middle of the last step to the middle of this one
        auto known = [](Request const&) { return 0.0; };
        stepper_.step(host, known, numbers);
        integrator_.step_size = next;
        host.time += next;
    }
    double choose_step_size(double limit, HostState& host) const {
        double const square = ordered_sum(host.threads, host.size(), [&](std::size_t i) {
            Vec3<> const acceleration = host.forces[i] * host.inverse_masses[i];
            return dot(acceleration, acceleration);
        });
        if (integrator_.maximum_step_size > 0) limit = std::min(limit, integrator_.maximum_step_size);
        double const rms = std::sqrt(square / (3 * static_cast<double>(host.size())));
        double const next = next_step_size(integrator_.step_size, rms, integrator_.error_tolerance, limit);
        check_step_size<I>(next);
        return next;
    }

    static_assert(I::splitting.letters[0] == 'V' && I::splitting.count('V') == 1,
                  "forces are evaluated once, at the start");
    RandomStream noise_;
    SequenceStepper stepper_;
};

template <VariableStep I, HostBackend B, Precision P> struct Kernel<I, B, P> : VariableStepper<I> {
    Kernel(I const& integrator, Engine<B, P>& engine, Registration who) : VariableStepper<I>(integrator, engine.host, who) {}
};

}  // namespace trotter
