// Fixed-step splittings on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/integration/splitting.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/integration/shifted_kinetic_energy.hpp>
#include <trotter/device/integration/stepper.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// Fixed-step splittings on the device, with one or several time steps.
template <FixedSplittingStep I, DeviceBackend B, Precision P> struct Kernel<I, B, P> : LiveIntegrator<I> {
    using Queue = typename B::Queue;

    Kernel(I const& integrator, Engine<B, P>& engine, Registration who)
        : LiveIntegrator<I>(integrator),
          engine_(engine.device),
          stepper_(device::StepSequence(sequence_of(integrator)),
                   engine.host.random_stream(seed_of(integrator), who.stream), engine.device) {}

    /// Whether a step leaves the state on the device.
    bool stays_on_device() const { return true; }

    void step(HostState& host, ForceEvaluator evaluate) {
        require_positive(I::name, "step size", integrator_.step_size);
        stepper_.step(engine_, evaluate, step_numbers(integrator_));
        host.time += integrator_.step_size;
    }

    double kinetic_energy(Engine<B, P>& engine, ForceEvaluator evaluate) {
        double const offset = noises_in_step<I>() > 0 ? 0 : velocity_offset();
        return kinetic_energy_.sum(engine.device, evaluate, offset, integrator_.constraint_tolerance);
    }
    double velocity_offset() const { return velocity_offset_of(integrator_); }
    ForceGroups const& force_groups() const { return integrator_.force_groups; }

private:
    using LiveIntegrator<I>::integrator_;
    device::Engine<Queue>& engine_;
    device::Stepper<Queue> stepper_;
    device::ShiftedKineticEnergy<Queue> kinetic_energy_;
};

}  // namespace trotter
