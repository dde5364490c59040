// CustomIntegrators without the host, where they are products.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/device/integration/multiple_steps.hpp>
#include <trotter/host/integrators/custom.hpp>

namespace trotter {

/// On the device where the computations are a splitting with force groups and there are no virtual sites. The variable
/// in which the formulas keep positions before they are constrained then stays as it is: nothing else reads it.
template <DeviceBackend B, Precision P> struct Kernel<CustomIntegrator, B, P> {
    Kernel(CustomIntegrator const& integrator, Engine<B, P>& engine) : host_stepper_(integrator, engine.host) {
        auto const& nested = host_stepper_.multiple_steps();
        if (!nested || !engine.host.virtual_sites.empty() || !device::GroupedLettering::can_do(nested->product)) return;
        stepper_.emplace(nested->product, host_stepper_.noise(), engine);
    }

    bool stays_on_device() const { return stepper_.has_value(); }

    void step(HostEngine& host, ForceEvaluator evaluate, StateChange change_state) {
        if (!stepper_) return host_stepper_.step(host, evaluate, change_state);
        if (host_stepper_.multiple_steps()->changes_state) change_state();
        auto const numbers = host_stepper_.numbers_of_product(host);
        stepper_->step(host, evaluate, numbers);
        host.time += numbers.step_size;
    }

    double kinetic_energy(HostEngine& host, ForceEvaluator evaluate) {
        return host_stepper_.kinetic_energy(host, evaluate);
    }
    double velocity_offset() const { return 0; }
    CustomIntegrator const& integrator() const { return host_stepper_.integrator(); }
    void set_step_size(double step_size) { host_stepper_.set_step_size(step_size); }

    double global(std::string const& name) const { return host_stepper_.global(name); }
    void set_global(std::string const& name, double value) { host_stepper_.set_global(name, value); }
    std::vector<Vec3<>> const& per_dof(std::string const& name) const { return host_stepper_.per_dof(name); }
    void set_per_dof(std::string const& name, std::vector<Vec3<>> values) {
        host_stepper_.set_per_dof(name, std::move(values));
    }

    std::map<std::string, double> parameters() const { return host_stepper_.parameters(); }
    void set_parameters(std::map<std::string, double> const& parameters) { host_stepper_.set_parameters(parameters); }
    template <class Archive> void save(Archive& archive) const { host_stepper_.save(archive); }
    template <class Archive> void load(Archive& archive) { host_stepper_.load(archive); }

private:
    CustomStepper host_stepper_;
    std::optional<ProductStepper<B, P>> stepper_;
};

}  // namespace trotter
