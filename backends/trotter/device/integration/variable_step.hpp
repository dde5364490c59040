// Variable-step splittings on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <optional>

#include <trotter/common/integration/variable_step.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/integration/shifted_kinetic_energy.hpp>
#include <trotter/device/integration/step_sizes.hpp>
#include <trotter/device/integration/stepper.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// Keeps time and step size on the device until they are read.
template <VariableStep I, DeviceBackend B, Precision P> struct Kernel<I, B, P> : VariableStepper<I> {
    using Queue = typename B::Queue;

    Kernel(I const& integrator, Engine<B, P>& engine, Registration who)
        : Host(integrator, engine.host, who), engine_(engine.device) {
        if (!device::StepSizes<Queue>::can_do(engine.device.types)) return;
        sizes_.emplace(I::splitting.is_stochastic(), I::splitting.share('R'), engine.device);
        device::StepSequence sequence(sequence_of(integrator));
        sequence.gathers_before = 0;
        stepper_.emplace(sequence, this->noise(), engine.device);
    }

    bool stays_on_device() const { return stepper_.has_value(); }

    void step(HostState& host, ForceEvaluator evaluate) {
        if (!stepper_) return Host::step(host, evaluate);
        step_until(unlimited, evaluate);
    }
    /// Takes a step that does not go beyond `end_time` [ps]. Waits for the device.
    void step_towards(double end_time, HostState& host, ForceEvaluator evaluate) {
        if (!stepper_) return Host::step_towards(end_time, host, evaluate);
        step_until(end_time, evaluate);
        engine_.state.sync_clock();
    }

    /// Advances velocities by half of the last step, to the time of the positions.
    double kinetic_energy(Engine<B, P>&, ForceEvaluator evaluate) {
        engine_.state.sync_clock();
        auto const& i = integrator_;
        return kinetic_energy_.sum(engine_, evaluate, 0.5 * i.step_size, i.constraint_tolerance);
    }
    void set_step_size(double step_size) {
        engine_.state.sync_clock();
        Host::set_step_size(step_size);
    }

private:
    using Host = VariableStepper<I>;
    using LiveIntegrator<I>::integrator_;  // has the last step size known to the host
    static constexpr double unlimited = std::numeric_limits<double>::infinity();

    void step_until(double end_time, ForceEvaluator const& evaluate) {
        auto const& i = integrator_;
        if (!engine_.state.is_clock_ahead()) sizes_->set_clock(i.step_size, engine_.host.time, engine_.queue);
        device::StepRules rules{i.error_tolerance, i.maximum_step_size > 0 ? i.maximum_step_size : unlimited, end_time};
        if constexpr (I::splitting.is_stochastic()) rules.temperature = i.temperature, rules.friction = i.friction;
        sizes_->set_rules(rules, engine_.queue);
        // Everything but the tolerance is chosen on the device.
        stepper_->step(engine_, evaluate, {0, 0, 1, 0, i.constraint_tolerance},
                       [this] { sizes_->choose(engine_, stepper_->numbers()); });
        engine_.state.clock_is_ahead([this] { fetch_clock(); });
    }
    void fetch_clock() {
        auto const clock = sizes_->clock(engine_.queue);
        if (clock.has_failed) check_step_size<I>(clock.refused);
        engine_.host.time = clock.time;
        Host::set_step_size(engine_.host.step_size = clock.step_size);
    }

    device::Engine<Queue>& engine_;
    std::optional<device::StepSizes<Queue>> sizes_;
    std::optional<device::Stepper<Queue>> stepper_;
    device::ShiftedKineticEnergy<Queue> kinetic_energy_;
};

}  // namespace trotter
