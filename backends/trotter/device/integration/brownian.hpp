// Brownian dynamics without the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <vector>

#include <trotter/device/integration/stepper.hpp>
#include <trotter/host/integrators/brownian.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// A product whose O forgets the velocities, so that noise and a kick of 1/friction make up those of the drift.
template <DeviceBackend B, Precision P> struct Kernel<BrownianIntegrator, B, P> {
    using Queue = typename B::Queue;

    Kernel(BrownianIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : engine_(engine.device),
          host_stepper_(integrator, engine.host, who),
          stepper_(device::Product(Splitting{"O V R"}), host_stepper_.noise(), engine.device) {}

    bool stays_on_device() const { return true; }

    void step(HostEngine& host, ForceEvaluator evaluate) {
        host_stepper_.check_step();
        auto const& i = integrator();
        double const kick = 1 / i.friction;
        double const spread = std::sqrt(2 * constants::gas_constant * i.temperature * kick / i.step_size);
        stepper_.step(engine_, evaluate, {kick, i.step_size, 0, spread, i.constraint_tolerance}, [] {});
        host.time += i.step_size;
    }

    double kinetic_energy(Engine<B, P>& engine, ForceEvaluator) { return engine.device.stored_kinetic_energy(); }
    double velocity_offset() const { return 0; }
    BrownianIntegrator const& integrator() const { return host_stepper_.integrator(); }
    void set_step_size(double step_size) { host_stepper_.set_step_size(step_size); }
    void set_temperature(double temperature) { host_stepper_.set_temperature(temperature); }
    void set_friction(double friction) { host_stepper_.set_friction(friction); }
    template <class Archive> void save(Archive& archive) const { host_stepper_.save(archive); }
    template <class Archive> void load(Archive& archive) { host_stepper_.load(archive); }

private:
    device::Engine<Queue>& engine_;
    BrownianStepper host_stepper_;
    device::Stepper<Queue> stepper_;
};

}  // namespace trotter
