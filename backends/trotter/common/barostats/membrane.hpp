// MonteCarloMembraneBarostat: scales the xy plane and the z axis separately, under pressure and surface tension.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/common/barostats/monte_carlo.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

template <HostBackend B, Precision P> struct Kernel<MonteCarloMembraneBarostat, B, P> {
    using Barostat = MonteCarloMembraneBarostat;

    Kernel(Barostat const& barostat, Engine<B, P>& engine, Registration who)
        : moves_(barostat, engine, who), xy_mode_(barostat.xy_mode), z_mode_(barostat.z_mode) {
        auto& parameters = engine.host.parameters;
        parameters.declare(Barostat::pressure_parameter, barostat.pressure);
        parameters.declare(Barostat::surface_tension_parameter, barostat.surface_tension);
        parameters.declare(Barostat::temperature_parameter, barostat.temperature);
    }

    void before_step(Engine<B, P>& engine, ForceEvaluator evaluate) {
        if (!moves_.is_due()) return;
        HostState& host = moves_.hold(engine);
        std::size_t const axis = choose_axis(moves_.uniforms()[1]);
        double const area = host.box.a.x * host.box.b.y;
        moves_.try_volume(
            host, evaluate, kT_of(host, Barostat::temperature_parameter), axis,
            [&](double ratio) { return scale_of(axis, ratio); },
            [&](double change, Vec3<> const& scale) {
                bool const keeps_volume = z_mode_ == Barostat::ZMode::constant_volume;
                return (keeps_volume ? 0 : pressure_of(host, Barostat::pressure_parameter) * change)
                       - pressure_of(host, Barostat::surface_tension_parameter) * area * (scale.x * scale.y - 1);
            });
    }

    /// Pressure along each axis [bar], from the stored velocities.
    Vec3<> current_pressure(Engine<B, P>& engine, ForceEvaluator evaluate) {
        return pressure_of_axes(state_on_host(engine), evaluate, moves_.change);
    }

    template <class Archive> void save(Archive& archive) const { moves_.save(archive); }
    template <class Archive> void load(Archive& archive) { moves_.load(archive); }

private:
    // Each free axis is equally likely; coupled x and y are tried as often as both would be separately.
    std::size_t choose_axis(double uniform) const {
        double const free_axes = z_mode_ == Barostat::ZMode::free ? 3 : 2;
        auto const axis = static_cast<std::size_t>(uniform * free_axes);
        return axis == 1 && xy_mode_ == Barostat::XYMode::isotropic ? 0 : axis;
    }
    Vec3<> scale_of(std::size_t axis, double ratio) const {
        Vec3<> scale{1, 1, 1};
        if (axis == 0 && xy_mode_ == Barostat::XYMode::isotropic)
            scale.x = scale.y = std::sqrt(ratio);
        else
            scale[axis] = ratio;
        if (z_mode_ == Barostat::ZMode::constant_volume) scale.z = 1 / (scale.x * scale.y);
        return scale;
    }

    MonteCarloMoves<Engine<B, P>> moves_;
    Barostat::XYMode xy_mode_;
    Barostat::ZMode z_mode_;
};

}  // namespace trotter
