// MonteCarloAnisotropicBarostat: scales one axis at a time.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include <trotter/common/barostats/monte_carlo.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

template <HostBackend B, Precision P> struct Kernel<MonteCarloAnisotropicBarostat, B, P> {
    using Barostat = MonteCarloAnisotropicBarostat;

    Kernel(Barostat const& barostat, Engine<B, P>& engine, Registration who) : moves_(barostat, engine, who) {
        auto& parameters = engine.host.parameters;
        for (std::size_t axis = 0; axis < 3; ++axis) parameters.declare(pressures[axis], barostat.pressure[axis]);
        parameters.declare(Barostat::temperature_parameter, barostat.temperature);
        std::array<bool, 3> const scale{barostat.scale_x, barostat.scale_y, barostat.scale_z};
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (scale[axis]) axes_[axis_count_++] = axis;
    }

    void before_step(Engine<B, P>& engine, ForceEvaluator evaluate) {
        if (axis_count_ == 0 || !moves_.is_due()) return;
        HostState& host = moves_.hold(engine);
        std::size_t const axis =
            axes_[static_cast<std::size_t>(moves_.uniforms()[1] * static_cast<double>(axis_count_))];
        moves_.try_volume(
            host, evaluate, kT_of(host, Barostat::temperature_parameter), axis,
            [axis](double ratio) {
                Vec3<> scale{1, 1, 1};
                scale[axis] = ratio;
                return scale;
            },
            [&](double change, Vec3<> const&) { return pressure_of(host, pressures[axis]) * change; });
    }

    /// Pressure along each axis [bar], from the stored velocities.
    Vec3<> current_pressure(Engine<B, P>& engine, ForceEvaluator evaluate) {
        return pressure_of_axes(state_on_host(engine), evaluate, moves_.change);
    }

    template <class Archive> void save(Archive& archive) const { moves_.save(archive); }
    template <class Archive> void load(Archive& archive) { moves_.load(archive); }

private:
    static constexpr std::array pressures{Barostat::pressure_x_parameter, Barostat::pressure_y_parameter,
                                          Barostat::pressure_z_parameter};

    MonteCarloMoves<Engine<B, P>> moves_;
    std::array<std::size_t, 3> axes_{};
    std::size_t axis_count_ = 0;
};

}  // namespace trotter
