// Splittings whose step size follows the forces: VariableVerlet and VariableLangevin.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <trotter/host/integrators/splitting.hpp>

namespace trotter {

/// The next step size [ps]. With forces F over a step h an Euler step errs by about h² F/m: the step keeps the root
/// mean square of that below the tolerance, at most doubles, and ignores growth below a fifth.
inline double next_step_size(double last, double rms_acceleration, double error_tolerance, double limit) {
    double next = std::sqrt(error_tolerance / rms_acceleration);
    if (last > 0) next = std::min(next, 2 * last);
    constexpr float least_growth = 1.2F;
    if (next > last && next < double{least_growth} * last) next = last;
    return std::min(next, limit);
}

template <VariableStep I, HostBackend B, Precision P> struct Kernel<I, B, P> {
    Kernel(I const& integrator, Engine<B, P>& engine)
        : integrator_(integrator), stepper_(engine.host.random_stream(seed_of(integrator), engine.host.next_stream)) {
        check_integrator(integrator);
    }

    void step(HostEngine& host, ForceEvaluator evaluate) {
        step_within(std::numeric_limits<double>::infinity(), host, evaluate);
    }

    /// One step that ends at `end_time` [ps] where it would reach beyond it.
    void step_towards(double end_time, HostEngine& host, ForceEvaluator evaluate) {
        double const room = end_time - host.time;
        step_within(room, host, evaluate);
        if (integrator_.step_size == room) host.time = end_time;
    }

    /// With velocities moved on by half of the last step to the time of the positions.
    double kinetic_energy(HostEngine& host, ForceEvaluator evaluate) {
        return shifted_kinetic_energy(host, evaluate, 0.5 * integrator_.step_size, integrator_.constraint_tolerance);
    }
    double velocity_offset() const { return 0; }
    I const& integrator() const { return integrator_; }
    void set_step_size(double step_size) {
        require_not_negative(I::name, "step size", step_size);
        integrator_.step_size = step_size;
    }

    template <class Archive> void save(Archive& archive) const { archive.put(integrator_.step_size); }
    template <class Archive> void load(Archive& archive) { integrator_.step_size = archive.template get<double>(); }

private:
    void step_within(double limit, HostEngine& host, ForceEvaluator const& evaluate) {
        evaluate({host.integration_groups, false});
        double const last = integrator_.step_size, next = choose_step_size(limit, host);
        StepNumbers numbers{
            .step_size = next, .kick_size = next, .constraint_tolerance = integrator_.constraint_tolerance};
        if constexpr (I::splitting.is_stochastic()) {
            numbers.temperature = integrator_.temperature;
            numbers.friction = integrator_.friction;
        } else {
            numbers.kick_size = 0.5 * (last + next);  // from the middle of the last step to the middle of this one
        }
        auto known = [](Request const&) { return 0.0; };
        stepper_.step(host, known, numbers);
        integrator_.step_size = next;
        host.time += next;
    }
    double choose_step_size(double limit, HostEngine& host) const {
        double const square = ordered_sum(host.threads, host.size(), [&](std::size_t i) {
            Vec3<> const acceleration = host.forces[i] * host.inverse_masses[i];
            return dot(acceleration, acceleration);
        });
        if (integrator_.maximum_step_size > 0) limit = std::min(limit, integrator_.maximum_step_size);
        double const rms = std::sqrt(square / (3 * static_cast<double>(host.size())));
        double const next = next_step_size(integrator_.step_size, rms, integrator_.error_tolerance, limit);
        if (!(next > 0 && std::isfinite(next)))
            throw SimulationError("the forces give " + std::string(I::name) + " a step size of " + std::to_string(next)
                                  + ", expected a positive number; a maximum step size would limit it");
        return next;
    }

    static_assert(I::splitting.letters[0] == 'V' && I::splitting.count('V') == 1,
                  "forces are evaluated once, at the start");
    I integrator_;
    SplittingStepper<I::splitting> stepper_;
};

}  // namespace trotter
