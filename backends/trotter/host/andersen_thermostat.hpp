// The Andersen thermostat.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/forces/andersen_thermostat.hpp>
#include <trotter/host/engine.hpp>
#include <trotter/kernel.hpp>
#include <trotter/molecules.hpp>
#include <trotter/units.hpp>

namespace trotter {

template <HostBackend B, Precision P> struct Kernel<AndersenThermostat, B, P> {
    Kernel(AndersenThermostat const& thermostat, Engine<B, P>& engine)
        : random_(engine.host.random_stream(thermostat.seed, engine.host.next_stream)) {
        if (!(thermostat.temperature >= 0)) refuse("temperature", thermostat.temperature);
        if (!(thermostat.collision_frequency >= 0)) refuse("collision frequency", thermostat.collision_frequency);
        engine.host.parameters.declare(AndersenThermostat::temperature_parameter, thermostat.temperature);
        engine.host.parameters.declare(AndersenThermostat::collision_frequency_parameter,
                                       thermostat.collision_frequency);
        Connections connections(engine.host.particles.count());
        for (auto const& [i, j, distance] : engine.host.particles.constraints) connections.connect(i, j);
        groups_ = connections.groups();
    }

    /// Velocities of constrained particles are drawn as if they were free: the integrator projects them.
    void before_step(Engine<B, P>& engine, ForceEvaluator) {
        HostEngine& host = state_on_host(engine);
        double const kT = constants::gas_constant * host.parameters.value(AndersenThermostat::temperature_parameter);
        double const frequency = host.parameters.value(AndersenThermostat::collision_frequency_parameter);
        double const probability = -std::expm1(-frequency * host.step_size);
        auto const decision = 2 * static_cast<std::uint64_t>(host.step_count), draw = decision + 1;
        host.threads.for_each(groups_.size(), [&](std::size_t n) {
            auto const first = static_cast<std::uint32_t>(groups_[n].front());
            if (random_.uniforms(decision, first)[0] >= probability) return;
            for (int particle : groups_[n]) {
                auto const i = static_cast<std::size_t>(particle);
                if (host.inverse_masses[i] == 0) continue;
                host.velocities[i] = random_.normals(draw, static_cast<std::uint32_t>(particle))
                                     * std::sqrt(kT * host.inverse_masses[i]);
            }
        });
    }

private:
    [[noreturn]] static void refuse(char const* what, double value) {
        throw InputError("the " + std::string(what) + " of AndersenThermostat is " + std::to_string(value)
                         + ", expected 0 or more");
    }

    RandomStream random_;
    std::vector<std::vector<int>> groups_;
};

}  // namespace trotter
