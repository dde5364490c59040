// CustomIntegrators whose state stays on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/common/integration/custom/custom.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/integration/custom/custom_vectors.hpp>
#include <trotter/device/integration/stepper.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// Runs as recorded steps if the computations are a splitting with force groups; the variable for unconstrained
/// positions is then not updated, since nothing else reads it. Otherwise runs computation by computation, with blocks
/// and global variables on the host.
template <DeviceBackend B, Precision P> struct Kernel<CustomIntegrator, B, P> {
    using Queue = typename B::Queue;

    Kernel(CustomIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : stepper_(integrator, engine.host, who), engine_(&engine.device) {
        auto const& nested = stepper_.multiple_steps();
        if (nested && device::StepSequence::can_do(nested->sequence))
            sequence_.emplace(device::StepSequence(nested->sequence), stepper_.noise(), engine.device);
        else
            vectors_.emplace(stepper_, engine.device);
    }
    Kernel(Kernel&&) = delete;  // `vectors_` points to the stepper

    bool stays_on_device() const { return true; }

    void step(HostState& host, ForceEvaluator evaluate, StateChange change_state) {
        if (vectors_) return stepper_.carry_out(host, *vectors_, evaluate, change_state);
        if (stepper_.multiple_steps()->changes_state) change_state();
        auto const numbers = stepper_.numbers_of_sequence();
        sequence_->step(*engine_, evaluate, numbers);
        host.time += numbers.step_size;
    }

    double kinetic_energy(HostState& host, ForceEvaluator evaluate) {
        sync_to_host();
        stepper_.force_cache().invalidate();
        return stepper_.kinetic_energy(host, evaluate);
    }
    double velocity_offset() const { return 0; }
    /// Per-DOF variables are the last ones copied to the host: see `sync_to_host`.
    CustomIntegrator const& integrator() const { return stepper_.integrator(); }
    void set_step_size(double step_size) { stepper_.set_step_size(step_size); }

    double global(std::string const& name) const { return stepper_.global(name); }
    void set_global(std::string const& name, double value) { stepper_.set_global(name, value); }
    std::vector<Vec3<>> const& per_dof(std::string const& name) const {
        sync_to_host();
        return stepper_.per_dof(name);
    }
    void set_per_dof(std::string const& name, std::vector<Vec3<>> values) {
        change_variables([&] { stepper_.set_per_dof(name, std::move(values)); });
    }

    std::map<std::string, double> parameters() const {
        sync_to_host();
        return stepper_.parameters();
    }
    void set_parameters(std::map<std::string, double> const& parameters) {
        change_variables([&] { stepper_.set_parameters(parameters); });
    }
    template <class Archive> void save(Archive& archive) const {
        sync_to_host();
        stepper_.save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        change_variables([&] { stepper_.load(archive); });
    }

    /// Copies per-DOF variables from the device to `integrator()`.
    void sync_to_host() const {
        if (vectors_) vectors_->fetch_variables();
    }

private:
    template <class Change> void change_variables(Change const& change) {
        sync_to_host();
        if (vectors_) vectors_->variables_have_changed();
        change();
    }

    mutable CustomStepper stepper_;  // reading may download
    device::Engine<Queue>* engine_;
    std::optional<device::Stepper<Queue>> sequence_;
    mutable std::optional<device::CustomVectors<Queue>> vectors_;
};

}  // namespace trotter
