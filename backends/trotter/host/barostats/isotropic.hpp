// MonteCarloBarostat: the box keeps its shape.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/host/barostats/monte_carlo.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

template <HostBackend B, Precision P> struct Kernel<MonteCarloBarostat, B, P> {
    Kernel(MonteCarloBarostat const& barostat, Engine<B, P>& engine) : moves_(barostat, engine.host) {
        engine.host.parameters.declare(barostat.pressure_parameter, barostat.pressure);
        engine.host.parameters.declare(barostat.temperature_parameter, barostat.temperature);
    }

    void before_step(Engine<B, P>& engine, ForceEvaluator evaluate) {
        if (!moves_.is_due()) return;
        HostEngine& host = engine.host;
        double const volume = host.box.volume();
        if (trial_.size == 0) trial_.size = 0.01 * volume;
        double const change = trial_.size * (2 * moves_.uniforms()[0] - 1), ratio = 1 + change / volume;
        bool accepted = false;
        if (ratio > 0) {
            double const length = std::cbrt(ratio);
            double const work = pressure_of(host, MonteCarloBarostat::pressure_parameter) * change;
            accepted = moves_.attempt(host, evaluate, scaled(host.box, {length, length, length}), work,
                                      moves_.change.mover_count(host) * std::log(ratio),
                                      kT_of(host, MonteCarloBarostat::temperature_parameter));
        }
        trial_.record(accepted, 0.3 * host.box.volume());
    }

    /// 2K/3V - dU/dV of the molecules [bar], with velocities as they are stored.
    double current_pressure(Engine<B, P>& engine, ForceEvaluator evaluate) {
        HostEngine& host = engine.host;
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

    template <class Archive> void save(Archive& archive) const {
        moves_.save(archive);
        trial_.save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        moves_.load(archive);
        trial_.load(archive);
    }

private:
    MonteCarloMoves moves_;
    TrialSize trial_;  // [nm³]
};

}  // namespace trotter
