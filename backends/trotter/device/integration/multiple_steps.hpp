// Splittings with several time steps without the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <trotter/device/integration/grouped_product.hpp>
#include <trotter/device/integration/stepper.hpp>
#include <trotter/host/integrators/multiple_steps.hpp>

namespace trotter {

/// Of products that `device::GroupedLettering` can do. Noise is numbered by the step counter on the device.
template <DeviceBackend B, Precision P> class ProductStepper<B, P> {
public:
    static constexpr bool stays_on_device = true;

    ProductStepper(GroupedProduct const& product, RandomStream noise, Engine<B, P>& engine)
        : engine_(engine.device), stepper_(device::GroupedLettering(product).product(), noise, engine.device) {}

    void step(HostEngine&, ForceEvaluator const& evaluate, MultipleStepper::Numbers const& numbers) {
        auto values = stepper_.numbers_for(
            {.step_size = numbers.step_size, .constraint_tolerance = numbers.constraint_tolerance});
        values[2] = numbers.decay, values[3] = numbers.spread;
        stepper_.step(engine_, evaluate, std::move(values), [] {});
    }

private:
    device::Engine<typename B::Queue>& engine_;
    device::Stepper<typename B::Queue> stepper_;
};

}  // namespace trotter
