// Brownian dynamics on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/common/integration/brownian.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/integration/stepper.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// A splitting whose O discards the velocities, so that noise and a kick of 1/friction make up the drift velocities.
template <DeviceBackend B, Precision P> struct Kernel<BrownianIntegrator, B, P> : BrownianStepper {
    using Queue = typename B::Queue;

    Kernel(BrownianIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : BrownianStepper(integrator, engine.host, who),
          engine_(engine.device),
          stepper_(device::StepSequence({Splitting{"O V R"}, integrator.force_groups}), noise(), engine.device) {}

    bool stays_on_device() const { return true; }

    void step(HostState& host, ForceEvaluator evaluate) {
        check_step();
        auto const& i = integrator();
        double const kick = 1 / i.friction;
        double const spread = std::sqrt(2 * constants::gas_constant * i.temperature * kick / i.step_size);
        stepper_.step(engine_, evaluate, {kick, i.step_size, 0, spread, i.constraint_tolerance}, [] {});
        host.time += i.step_size;
    }

    double kinetic_energy(Engine<B, P>& engine, ForceEvaluator) { return engine.device.stored_kinetic_energy(); }

private:
    device::Engine<Queue>& engine_;
    device::Stepper<Queue> stepper_;
};

}  // namespace trotter
