// The Andersen thermostat on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/common/integration/andersen_thermostat.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/runtime/uploaded_numbers.hpp>
#include <trotter/kernels/collisions.hpp>
#include <trotter/kernels/noise.hpp>
#include <trotter/registration.hpp>

namespace trotter {

template <DeviceBackend B, Precision P> struct Kernel<AndersenThermostat, B, P> {
    using Queue = typename B::Queue;

    Kernel(AndersenThermostat const& thermostat, Engine<B, P>& engine, Registration who)
        : random_(engine.host.random_stream(thermostat.seed, who.stream)),
          leaders_(engine.device.queue, leaders(engine.host.particles)),
          numbers_(engine.device.queue, 3, engine.device.types.coordinate_is_double) {
        declare_parameters(thermostat, engine.host.parameters);
        kernels_.take(engine.device.compile(std::string(kernels::noise) + kernels::collisions));
    }

    /// Draws velocities of constrained particles as if they were free: the integrator projects them.
    void before_step(Engine<B, P>& engine, ForceEvaluator) {
        auto& device = engine.device;
        auto const& host = engine.host;
        device.state.sync_clock();  // waits in each step if step sizes vary
        numbers_.set(device.queue,
                     {constants::gas_constant * host.parameters.value(AndersenThermostat::temperature_parameter),
                      host.parameters.value(AndersenThermostat::collision_frequency_parameter), host.step_size});
        device.step_begin.add([this, &device, &velocities = device.state.changing_velocities()] {
            device::launch<"collide">(device.queue, kernels_,
                                      device::grid_for(device.queue.properties(), device.padded), velocities, leaders_,
                                      numbers_, device.step_counter, random_.seed, random_.stream);
        });
    }

private:
    static std::vector<std::int32_t> leaders(Particles const& particles) {
        std::vector<std::int32_t> result(particles.masses.size());
        for (auto const& group : collision_groups(particles))
            for (int const particle : group) result[static_cast<std::size_t>(particle)] = group.front();
        return result;
    }

    RandomStream const random_;
    device::Array<Queue, std::int32_t> leaders_;
    device::UploadedNumbers<Queue> numbers_;
    device::SourceKernels<Queue, kernels::collisions> kernels_;
};

}  // namespace trotter
