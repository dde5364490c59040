// MonteCarloFlexibleBarostat: changes all elements of the box vectors at once.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>

#include <trotter/common/barostats/monte_carlo.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// A trial changes the diagonal elements by a relative amount, the others by a fraction of the diagonal: the same at
/// every volume. Centres of molecules follow the map of the boxes, shear included, so a molecule stays together with
/// its images however far it has diffused.
///
/// Infinitely many reduced boxes, ever flatter, span the same lattice, and a fluid prefers none: the shape would drift.
/// So no diagonal element, relative to the cube root of the volume, may change by more than a factor of two.
template <HostBackend B, Precision P> struct Kernel<MonteCarloFlexibleBarostat, B, P> {
    using Barostat = MonteCarloFlexibleBarostat;

    Kernel(Barostat const& barostat, Engine<B, P>& engine, Registration who) : moves_(barostat, engine, who) {
        engine.host.parameters.declare(Barostat::pressure_parameter, barostat.pressure);
        engine.host.parameters.declare(Barostat::temperature_parameter, barostat.temperature);
    }

    void before_step(Engine<B, P>& engine, ForceEvaluator evaluate) {
        if (!moves_.is_due()) return;
        HostState& host = moves_.hold(engine);
        Box const old = host.box;
        TrialSize& trial = moves_.trials[0];  // dimensionless
        if (trial.size == 0) {
            trial.size = 0.01;
            start_ = shape(old);
        }
        Box const changed = random_change(old);
        bool accepted = false;
        if (is_near_start(changed)) {
            double const work = pressure_of(host, Barostat::pressure_parameter) * (changed.volume() - old.volume());
            accepted = moves_.attempt(host, evaluate, changed, work, log_weight(host, changed) - log_weight(host, old),
                                      kT_of(host, Barostat::temperature_parameter));
        }
        trial.record(accepted, 0.3);
    }

    /// Mean of the diagonal of `stress_tensor` [bar].
    double current_pressure(Engine<B, P>& engine, ForceEvaluator evaluate) {
        Vec3<> const axes = pressure_of_axes(state_on_host(engine), evaluate, moves_.change);
        return (axes.x + axes.y + axes.z) / 3;
    }

    /// (Σ M V V - dU/dε)/V of the molecules: the elements xx, yy, zz, xy, xz, yz [bar], from the stored velocities.
    std::array<double, 6> stress_tensor(Engine<B, P>& engine, ForceEvaluator evaluate) {
        HostState& host = state_on_host(engine);
        Vec3<> const axes = pressure_of_axes(host, evaluate, moves_.change);
        auto const kinetic = moves_.change.kinetic_tensor(host);
        Box const box = host.box;
        std::array<double, 6> result{axes.x, axes.y, axes.z, 0, 0, 0};
        constexpr std::size_t rows[] = {0, 0, 1}, columns[] = {1, 2, 2};
        for (std::size_t n = 0; n < 3; ++n) {
            auto energy = [&](double strain) {
                return moves_.change.energy_in(sheared(box, rows[n], columns[n], strain), host, evaluate);
            };
            double const slope = (energy(pressure_strain) - energy(-pressure_strain)) / (2 * pressure_strain);
            result[3 + n] = (kinetic[3 + n] - slope) / (box.volume() * constants::bar);
        }
        return result;
    }

    template <class Archive> void save(Archive& archive) const {
        moves_.save(archive);
        archive.put(start_);
    }
    template <class Archive> void load(Archive& archive) {
        moves_.load(archive);
        start_ = archive.template get<Vec3<>>();
    }

private:
    Box random_change(Box const& old) const {
        auto const first = moves_.uniforms(), second = moves_.uniforms(1);
        auto change = [&](double uniform) { return moves_.trials[0].size * (2 * uniform - 1); };
        double const a = old.a.x * std::exp(change(first[0])), b = old.b.y * std::exp(change(first[1])),
                     c = old.c.z * std::exp(change(first[2]));
        return {{a, 0, 0},
                {a * (old.b.x / old.a.x + change(second[0])), b, 0},
                {a * (old.c.x / old.a.x + change(second[1])), b * (old.c.y / old.b.y + change(second[2])), c}};
    }
    /// Nine elements of three free vectors have the weight V^(N-2) (G. J. Martyna, D. J. Tobias, M. L. Klein, J. Chem.
    /// Phys. 101, 4177 (1994)). Rotating the vectors into reduced form gives the Jacobian a_x² b_y; the logarithms and
    /// fractions in which trials are uniform give a_x² b_y V.
    double log_weight(HostState const& host, Box const& box) const {
        return (moves_.change.mover_count(host) - 1) * std::log(box.volume()) + 4 * std::log(box.a.x)
               + 2 * std::log(box.b.y);
    }
    static Vec3<> shape(Box const& box) { return Vec3<>{box.a.x, box.b.y, box.c.z} / std::cbrt(box.volume()); }
    bool is_near_start(Box const& box) const {
        Vec3<> const now = shape(box);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (!(now[axis] < 2 * start_[axis] && start_[axis] < 2 * now[axis])) return false;
        return true;
    }
    static Box sheared(Box box, std::size_t row, std::size_t column, double strain) {
        for (auto* vector : {&box.a, &box.b, &box.c}) (*vector)[row] += strain * (*vector)[column];
        return box;
    }

    MonteCarloMoves<Engine<B, P>> moves_;
    Vec3<> start_;  // shape at the first trial
};

}  // namespace trotter
