// The kernels of this extension that compute on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/device/engine.hpp>
#include <trotter/device/integration/shifted_kinetic_energy.hpp>
#include <trotter/device/integration/stepper.hpp>
#include <trotter/drude/device_langevin.hpp>
#include <trotter/drude/kernels.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// Kicks of all motions in one launch, then the drift as in a splitting, whose kick has no size.
template <DeviceBackend B, Precision P> struct Kernel<DrudeLangevinIntegrator, B, P> : drude::LangevinStepper {
    using Queue = typename B::Queue;

    Kernel(DrudeLangevinIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : LangevinStepper(integrator, engine.host, who),
          engine_(engine.device),
          oscillators_(motions(), integrator.pairs, stream(), engine.device),
          stepper_(sequence(integrator), RandomStream{}, engine.device) {}

    bool stays_on_device() const { return true; }

    void step(HostState& host, ForceEvaluator evaluate) {
        check_step();
        auto const& i = integrator();
        auto const [bath, drude_bath] = baths();
        oscillators_.set_baths(bath, drude_bath, engine_.queue);
        auto const numbers =
            stepper_.numbers_for({.step_size = i.step_size, .constraint_tolerance = i.constraint_tolerance});
        stepper_.step(engine_, evaluate, numbers, [this] { oscillators_.kick(engine_); });
        if (i.maximum_drude_distance > 0)
            oscillators_.reflect(i.maximum_drude_distance, constants::gas_constant * i.drude_temperature, i.step_size,
                                 engine_);
        host.time += i.step_size;
    }

    double kinetic_energy(Engine<B, P>& engine, ForceEvaluator evaluate) {
        return kinetic_energy_.sum(engine.device, evaluate, 0.5 * integrator().step_size,
                                   integrator().constraint_tolerance);
    }

private:
    static device::StepSequence sequence(DrudeLangevinIntegrator const& integrator) {
        device::StepSequence result({Splitting{"V R"}, integrator.force_groups});
        result.gathers_before = 0;
        return result;
    }

    device::Engine<Queue>& engine_;
    drude::DeviceOscillators<Queue> oscillators_;
    device::Stepper<Queue> stepper_;
    device::ShiftedKineticEnergy<Queue> kinetic_energy_;
};

}  // namespace trotter
