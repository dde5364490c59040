// Splittings with several time steps without the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <trotter/device/integration/grouped_product.hpp>
#include <trotter/device/integration/stepper.hpp>
#include <trotter/host/integrators/multiple_steps.hpp>

namespace trotter {

template <NestedSplittingStep I, DeviceBackend B, Precision P> struct Kernel<I, B, P> {
    using Queue = typename B::Queue;

    Kernel(I const& integrator, Engine<B, P>& engine)
        : integrator_(integrator),
          engine_(engine.device),
          stepper_(device::GroupedLettering(GroupedProduct::of(I::nested_splitting)).product(),
                   engine.host.random_stream(integrator.seed, engine.host.next_stream), engine.device) {
        check_integrator(integrator);
    }

    bool stays_on_device() const { return true; }

    void step(HostEngine& host, ForceEvaluator evaluate) {
        require_positive(I::name, "step size", integrator_.step_size);
        auto const numbers = numbers_of_product(integrator_);
        auto values = stepper_.numbers_for(
            {.step_size = numbers.step_size, .constraint_tolerance = numbers.constraint_tolerance});
        values[2] = numbers.decay, values[3] = numbers.spread;
        stepper_.step(engine_, evaluate, std::move(values), [] {});
        host.time += integrator_.step_size;
    }

    double kinetic_energy(HostEngine& host, ForceEvaluator) { return stored_kinetic_energy(host); }
    double velocity_offset() const { return 0; }
    I const& integrator() const { return integrator_; }
    void set_step_size(double step_size) {
        require_not_negative(I::name, "step size", step_size);
        integrator_.step_size = step_size;
    }
    template <class Archive> void save(Archive& archive) const { archive.put(integrator_.step_size); }
    template <class Archive> void load(Archive& archive) { integrator_.step_size = archive.template get<double>(); }

private:
    I integrator_;
    device::Engine<Queue>& engine_;
    device::Stepper<Queue> stepper_;
};

}  // namespace trotter
