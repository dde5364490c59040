// Splittings of a fixed step on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>

#include <trotter/device/integration/stepper.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// Splittings of a fixed step, on the device.
template <FixedSplittingStep I, DeviceBackend B, Precision P> struct Kernel<I, B, P> {
    using Queue = typename B::Queue;

    Kernel(I const& integrator, Engine<B, P>& engine, Registration who)
        : integrator_(integrator),
          engine_(engine.device),
          stepper_(device::Product(I::splitting),
                   engine.host.random_stream(seed_of(integrator), who.stream), engine.device) {
        check_integrator(integrator);
    }

    /// Whether a step leaves the state on the device.
    bool stays_on_device() const { return true; }

    void step(HostEngine& host, ForceEvaluator evaluate) {
        require_positive(I::name, "step size", integrator_.step_size);
        stepper_.step(engine_, evaluate, step_numbers(integrator_));
        host.time += integrator_.step_size;
    }

    double kinetic_energy(Engine<B, P>& engine, ForceEvaluator evaluate) {
        double const offset = I::splitting.is_stochastic() ? 0 : velocity_offset();
        return offset == 0 ? engine.device.stored_kinetic_energy()
                           : shifted_kinetic_energy(engine.host, evaluate, offset, integrator_.constraint_tolerance);
    }
    double velocity_offset() const { return I::splitting.velocity_offset() * integrator_.step_size; }
    ForceGroups const& force_groups() const { return integrator_.force_groups; }
    I const& integrator() const { return integrator_; }
    void set_step_size(double step_size) { change_step_size(integrator_, step_size); }
    void set_temperature(double temperature) requires HasHeatBath<I> { change_temperature(integrator_, temperature); }
    void set_friction(double friction) requires HasHeatBath<I> { change_friction(integrator_, friction); }
    std::map<std::string, double> parameters() const { return {}; }
    void set_parameters(std::map<std::string, double> const&) {}

    template <class Archive> void save(Archive& archive) const { save_numbers(integrator_, archive); }
    template <class Archive> void load(Archive& archive) { load_numbers(integrator_, archive); }

private:
    I integrator_;
    device::Engine<Queue>& engine_;
    device::Stepper<Queue> stepper_;
};

}  // namespace trotter
