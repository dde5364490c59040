// Andersen thermostat.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/core/molecules.hpp>
#include <trotter/forces/andersen_thermostat.hpp>
#include <trotter/kernel.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// Declares the thermostat's parameters. Throws InputError if they are invalid.
inline void declare_parameters(AndersenThermostat const& thermostat, GlobalParameters& parameters) {
    auto const check = [](char const* what, double value) {
        require_set(AndersenThermostat::name, what, value);
        if (!(value >= 0))
            throw InputError("the " + std::string(what) + " of AndersenThermostat is " + std::to_string(value)
                             + ", expected 0 or more");
    };
    check("temperature", thermostat.temperature);
    check("collision frequency", thermostat.collision_frequency);
    parameters.declare(AndersenThermostat::temperature_parameter, thermostat.temperature);
    parameters.declare(AndersenThermostat::collision_frequency_parameter, thermostat.collision_frequency);
}

/// Groups of particles connected by constraints, which collide together.
inline std::vector<std::vector<int>> collision_groups(Particles const& particles) {
    Connections connections(particles.count());
    for (auto const& [i, j, distance] : particles.constraints) connections.connect(i, j);
    return connections.groups();
}

template <HostBackend B, Precision P> struct Kernel<AndersenThermostat, B, P> {
    Kernel(AndersenThermostat const& thermostat, Engine<B, P>& engine, Registration who)
        : random_(engine.host.random_stream(thermostat.seed, who.stream)),
          groups_(collision_groups(engine.host.particles)) {
        declare_parameters(thermostat, engine.host.parameters);
    }

    /// Velocities are drawn without regard to constraints: the integrator projects them.
    void before_step(Engine<B, P>& engine, ForceEvaluator) {
        HostState& host = state_on_host(engine);
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
    RandomStream random_;
    std::vector<std::vector<int>> groups_;
};

}  // namespace trotter
