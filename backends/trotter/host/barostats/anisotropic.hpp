// MonteCarloAnisotropicBarostat: one axis at a time.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>

#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/host/barostats/monte_carlo.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

template <HostBackend B, Precision P> struct Kernel<MonteCarloAnisotropicBarostat, B, P> {
    using Barostat = MonteCarloAnisotropicBarostat;

    Kernel(Barostat const& barostat, Engine<B, P>& engine) : moves_(barostat, engine.host) {
        auto& parameters = engine.host.parameters;
        for (std::size_t axis = 0; axis < 3; ++axis) parameters.declare(pressures[axis], barostat.pressure[axis]);
        parameters.declare(Barostat::temperature_parameter, barostat.temperature);
        std::array<bool, 3> const scale{barostat.scale_x, barostat.scale_y, barostat.scale_z};
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (scale[axis]) axes_[axis_count_++] = axis;
    }

    void before_step(Engine<B, P>& engine, ForceEvaluator evaluate) {
        if (axis_count_ == 0 || !moves_.is_due()) return;
        HostEngine& host = engine.host;
        auto const uniforms = moves_.uniforms();
        std::size_t const axis = axes_[static_cast<std::size_t>(uniforms[1] * static_cast<double>(axis_count_))];
        TrialSize& trial = trials_[axis];
        double const volume = host.box.volume();
        if (trial.size == 0) trial.size = 0.01 * volume;
        double const change = trial.size * (2 * uniforms[0] - 1), ratio = 1 + change / volume;
        bool accepted = false;
        if (ratio > 0) {
            Vec3<> scale{1, 1, 1};
            scale[axis] = ratio;
            accepted = moves_.attempt(
                host, evaluate, scaled(host.box, scale), pressure_of(host, pressures[axis]) * change,
                moves_.change.mover_count(host) * std::log(ratio), kT_of(host, Barostat::temperature_parameter));
        }
        trial.record(accepted, 0.3 * host.box.volume());
    }

    /// Of each axis [bar], with velocities as they are stored.
    Vec3<> current_pressure(Engine<B, P>& engine, ForceEvaluator evaluate) {
        return pressure_of_axes(engine.host, evaluate, moves_.change);
    }

    template <class Archive> void save(Archive& archive) const {
        moves_.save(archive);
        for (auto const& trial : trials_) trial.save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        moves_.load(archive);
        for (auto& trial : trials_) trial.load(archive);
    }

private:
    static constexpr std::array pressures{Barostat::pressure_x_parameter, Barostat::pressure_y_parameter,
                                          Barostat::pressure_z_parameter};

    MonteCarloMoves moves_;
    std::array<std::size_t, 3> axes_{};
    std::size_t axis_count_ = 0;
    std::array<TrialSize, 3> trials_;  // [nm³]
};

}  // namespace trotter
