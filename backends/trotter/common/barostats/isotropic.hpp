// MonteCarloBarostat: scales the box isotropically.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/common/barostats/monte_carlo.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

template <HostBackend B, Precision P> struct Kernel<MonteCarloBarostat, B, P> {
    Kernel(MonteCarloBarostat const& barostat, Engine<B, P>& engine, Registration who) : moves_(barostat, engine, who) {
        engine.host.parameters.declare(barostat.pressure_parameter, barostat.pressure);
        engine.host.parameters.declare(barostat.temperature_parameter, barostat.temperature);
    }

    void before_step(Engine<B, P>& engine, ForceEvaluator evaluate) {
        if (!moves_.is_due()) return;
        HostState& host = moves_.hold(engine);
        moves_.try_volume(
            host, evaluate, kT_of(host, MonteCarloBarostat::temperature_parameter), 0,
            [](double ratio) {
                double const length = std::cbrt(ratio);
                return Vec3<>{length, length, length};
            },
            [&](double change, Vec3<> const&) {
                return pressure_of(host, MonteCarloBarostat::pressure_parameter) * change;
            });
    }

    /// 2K/3V - dU/dV of the molecules [bar], from the stored velocities.
    double current_pressure(Engine<B, P>& engine, ForceEvaluator evaluate) {
        HostState& host = state_on_host(engine);
        auto const kinetic = moves_.change.kinetic_tensor(host);
        Box const box = host.box;
        double const l = 1 + pressure_strain, s = 1 - pressure_strain;
        Box const larger = scaled(box, {l, l, l}), smaller = scaled(box, {s, s, s});
        double const energy =
            moves_.change.energy_in(larger, host, evaluate) - moves_.change.energy_in(smaller, host, evaluate);
        return ((kinetic[0] + kinetic[1] + kinetic[2]) / (3 * box.volume())
                - energy / (larger.volume() - smaller.volume()))
               / constants::bar;
    }

    template <class Archive> void save(Archive& archive) const { moves_.save(archive); }
    template <class Archive> void load(Archive& archive) { moves_.load(archive); }

private:
    MonteCarloMoves<Engine<B, P>> moves_;
};

}  // namespace trotter
