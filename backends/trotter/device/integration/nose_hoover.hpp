// Nosé-Hoover dynamics on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <trotter/common/integration/nose_hoover.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/integration/stepper.hpp>
#include <trotter/device/integration/thermostat_chains.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// Runs on the device unless pairs have their own temperature.
template <DeviceBackend B, Precision P> struct Kernel<NoseHooverIntegrator, B, P> {
    using Queue = typename B::Queue;

    Kernel(NoseHooverIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : engine_(engine.device), host_stepper_(integrator, engine.host, who) {
        auto const& groups = host_stepper_.groups();
        if (!device::ThermostatChains<Queue>::can_do(groups)) return;
        thermostats_.emplace(groups, engine.device);
        stepper_.emplace(sequence(), RandomStream{}, engine.device, thermostats_->numbers(groups, engine.host.size()));
    }

    bool stays_on_device() const { return stepper_.has_value(); }

    void step(HostState& host, ForceEvaluator evaluate) {
        if (!stepper_) return host_stepper_.step(host, evaluate);
        host_stepper_.check_step();
        double const dt = integrator().step_size;
        if (!beads_are_on_device_) thermostats_->upload(host_stepper_.groups(), engine_.queue);
        beads_are_on_device_ = true;
        auto const numbers = stepper_->numbers_for(fixed_step(integrator()));
        stepper_->step(engine_, evaluate, numbers,
                       [this] { thermostats_->propagate(engine_, stepper_->numbers(), stepper_->numbers_of_step); });
        host.time += dt;
    }

    double kinetic_energy(Engine<B, P>& engine, ForceEvaluator) { return engine.device.stored_kinetic_energy(); }
    double velocity_offset() const { return 0; }
    NoseHooverIntegrator const& integrator() const { return host_stepper_.integrator(); }
    void set_step_size(double step_size) { host_stepper_.set_step_size(step_size); }
    void set_temperature(double temperature) {
        with_beads().set_temperature(temperature);
        upload_settings();
    }
    double heat_bath_energy() const { return with_beads().heat_bath_energy(); }
    std::map<std::string, double> parameters() const { return with_beads().parameters(); }
    void set_parameters(std::map<std::string, double> const& parameters) { with_beads().set_parameters(parameters); }

    template <class Archive> void save(Archive& archive) const { with_beads().save(archive); }
    template <class Archive> void load(Archive& archive) {
        with_beads().load(archive);
        upload_settings();
    }

private:
    void upload_settings() {
        if (thermostats_) thermostats_->upload_settings(host_stepper_.groups(), engine_.queue);
    }
    // Velocity scale factors are computed before the first drift, which does not change velocities.
    device::StepSequence sequence() const {
        device::StepSequence result(OperatorSequence::middle_scheme(integrator().force_groups));
        result.gathers_before = 1;
        return result;
    }
    NoseHooverStepper& with_beads() const {
        if (beads_are_on_device_) thermostats_->download(host_stepper_.groups(), engine_.queue);
        beads_are_on_device_ = false;
        return host_stepper_;
    }

    device::Engine<Queue>& engine_;
    mutable NoseHooverStepper host_stepper_;  // reading may download
    mutable std::optional<device::ThermostatChains<Queue>> thermostats_;
    mutable bool beads_are_on_device_ = false;
    std::optional<device::Stepper<Queue>> stepper_;
};

}  // namespace trotter
