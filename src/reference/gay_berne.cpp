// GayBerneForce: ellipsoids, pair by pair.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/base/tensor.hpp>
#include <trotter/core/range_check.hpp>
#include <trotter/core/repeated_pair.hpp>
#include <trotter/forces/gay_berne.hpp>
#include <trotter/reference/neighbors.hpp>

#include "define_kernel.hpp"

namespace trotter::reference {

/// Equations of R. Everaers and M. R. Ejtehadi, Phys. Rev. E 67, 041710 (2003), with mu = 2, nu = 1 and gamma = 1. A
/// pair depends on the sums G and B of its particles' matrices Σ_k s_k² u_k u_kᵀ (s: half diameters) and Σ_k e_k^(-1/2)
/// u_k u_kᵀ (e: scales) over the axes u_k. Derivatives by G and B are summed for each particle, then converted to
/// derivatives by its axes, and to forces on the particles that the axes point from.
template <> class CompiledKernel<GayBerneForce>::Implementation {
public:
    Implementation(GayBerneForce const& force, Engine<Reference, Double>& engine, Registration who)
        : index_(who.index), system_box_(engine.host.box) {
        update(force, engine);
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, force_.force_group)) return 0;
        place_ellipsoids(host);
        std::optional<double> const cutoff =
            force_.uses_cutoff() ? std::optional(force_.cutoff_distance) : std::nullopt;
        double energy = 0;
        reference::for_each_pair({cutoff, force_.is_periodic()}, centers_, host.box,
                                 [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
                                     energy += add_pair(host, acting_[i], acting_[j], d, std::sqrt(r2));
                                 });
        for (std::size_t const i : acting_) add_forces_of_axes(host, i);
        return energy;
    }

    /// Updates parameters and exceptions.
    void update(GayBerneForce const& force, Engine<Reference, Double>& engine) {
        check(force, engine.host.particles.count(), system_box_);
        force_ = force;
        exceptions_.assign(force.particles.size(), {});
        std::vector<bool> acts(force.particles.size());
        for (std::size_t i = 0; i < acts.size(); ++i) acts[i] = force.particles[i].epsilon > 0;
        for (auto const& exception : force.exceptions) {
            auto const i = static_cast<std::size_t>(exception.particle1),
                       j = static_cast<std::size_t>(exception.particle2);
            exceptions_[i].emplace_back(j, exception);
            exceptions_[j].emplace_back(i, exception);
            if (exception.epsilon > 0) acts[i] = acts[j] = true;
        }
        acting_.clear();
        for (std::size_t i = 0; i < acts.size(); ++i)
            if (acts[i]) acting_.push_back(i);
    }

private:
    static void check(GayBerneForce const& force, int particle_count, Box const& box) {
        check_particle_number(force.particles.size(), particle_count);
        for (std::size_t i = 0; i < force.particles.size(); ++i) {
            check_fields(GayBerneForce::fields, force.particles[i], Numbered{"particle", i});
            check_axes(force.particles[i], static_cast<int>(i), particle_count);
        }
        check_exceptions(force, particle_count);
        if (force.uses_cutoff()) check_cutoff(force.cutoff_distance, force.is_periodic(), box);
        if (force.use_switching_function) check_switching_distance(force.switching_distance, force.cutoff_distance);
    }
    static void check_axes(GayBerneForce::Particle const& particle, int index, int particle_count) {
        Numbered const where{"particle", static_cast<std::size_t>(index)};
        if (particle.x_particle != -1) check_particle(particle.x_particle, particle_count, where + ", its x axis");
        if (particle.y_particle != -1) check_particle(particle.y_particle, particle_count, where + ", its y axis");
        if (particle.x_particle == index || particle.y_particle == index)
            throw InputError(where + ": an axis points from the particle to itself");
        if (particle.y_particle != -1 && particle.x_particle == -1)
            throw InputError(where + ": there is no x particle, but y particle " + std::to_string(particle.y_particle));
        if (particle.y_particle != -1 && particle.x_particle == particle.y_particle)
            throw InputError(where + ": x and y axis point from the same particle " + std::to_string(particle.x_particle));
        auto const [x, y, z] = std::tuple{particle.size_x, particle.size_y, particle.size_z};
        auto const [ex, ey, ez] = std::tuple{particle.scale_x, particle.scale_y, particle.scale_z};
        if (particle.y_particle == -1 && (y != z || ey != ez))
            throw InputError(where + ": sizes and scales along y and z are " + std::to_string(y) + ", " + std::to_string(z)
                             + " and " + std::to_string(ey) + ", " + std::to_string(ez)
                             + ", expected equal ones without a y particle");
        if (particle.x_particle == -1 && (x != y || ex != ey))
            throw InputError(where + ": sizes and scales along x and y are " + std::to_string(x) + ", " + std::to_string(y)
                             + " and " + std::to_string(ex) + ", " + std::to_string(ey)
                             + ", expected equal ones without an x particle");
    }
    static void check_exceptions(GayBerneForce const& force, int particle_count) {
        std::vector<std::pair<int, int>> pairs;
        for (std::size_t n = 0; n < force.exceptions.size(); ++n) {
            auto const& exception = force.exceptions[n];
            Numbered const where{"exception", n};
            for (int const particle : {exception.particle1, exception.particle2})
                check_particle(particle, particle_count, where);
            if (exception.particle1 == exception.particle2)
                throw InputError(where + " pairs particle " + std::to_string(exception.particle1) + " with itself");
            check_fields(GayBerneForce::exception_fields, exception, where);
            pairs.emplace_back(exception.particle1, exception.particle2);
        }
        if (auto const repeated = repeated_pair(pairs)) {
            auto const [i, j] = pairs[repeated->second];
            throw InputError(Numbered{"exception", repeated->second} + " repeats the pair of particles " + std::to_string(i)
                             + " and " + std::to_string(j) + " of exception " + std::to_string(repeated->first));
        }
    }

    struct Ellipsoid {
        Vec3<> x, y;                // axes, if defined
        Tensor shape, scale;        // G and B
        double volume = 0;          // (ab + c²) sqrt(ab)
        Tensor by_shape, by_scale;  // derivatives of the energy
    };

    Vec3<> axis(HostState const& host, std::size_t i, int from) const {
        return host.positions[i] - host.positions[static_cast<std::size_t>(from)];
    }
    // Σ_k w_k u_k u_kᵀ for orthogonal axes.
    static Tensor along_axes(Ellipsoid const& e, double wx, double wy, double wz) {
        return Tensor::diagonal(wz) + outer(e.x * (wx - wz), e.x) + outer(e.y * (wy - wz), e.y);
    }
    static double determinant(Tensor const& a) { return dot(a[0], cross(a[1], a[2])); }
    // Inverse of a symmetric matrix.
    static Tensor inverse(Tensor const& a) {
        return Tensor{{cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])}} / determinant(a);
    }
    void place_ellipsoids(HostState const& host) {
        ellipsoids_.assign(force_.particles.size(), {});
        centers_.clear();
        for (std::size_t const i : acting_) {
            centers_.push_back(host.positions[i]);
            auto const& p = force_.particles[i];
            auto& e = ellipsoids_[i];
            if (p.x_particle >= 0) {
                e.x = axis(host, i, p.x_particle);
                e.x = e.x / norm(e.x);
            }
            if (p.y_particle >= 0) {
                Vec3<> const d = axis(host, i, p.y_particle), y = d - e.x * dot(d, e.x);
                e.y = y / norm(y);
            }
            double const a = p.size_x / 2, b = p.size_y / 2, c = p.size_z / 2;
            e.shape = along_axes(e, a * a, b * b, c * c);
            e.scale = along_axes(e, 1 / std::sqrt(p.scale_x), 1 / std::sqrt(p.scale_y), 1 / std::sqrt(p.scale_z));
            e.volume = (a * b + c * c) * std::sqrt(a * b);
        }
    }

    std::pair<double, double> sigma_and_epsilon(std::size_t i, std::size_t j) const {
        auto const& own = exceptions_[i];
        auto const found = std::find_if(own.begin(), own.end(), [j](auto const& entry) { return entry.first == j; });
        if (found != own.end()) return {found->second.sigma, found->second.epsilon};
        auto const &p = force_.particles[i], &q = force_.particles[j];
        return {(p.sigma + q.sigma) / 2, std::sqrt(p.epsilon * q.epsilon)};
    }

    // d = x_i - x_j
    double add_pair(HostState& host, std::size_t i, std::size_t j, Vec3<> const& d, double r) {
        auto const [sigma, epsilon] = sigma_and_epsilon(i, j);
        if (epsilon == 0 || sigma == 0) return 0;
        auto &ei = ellipsoids_[i], &ej = ellipsoids_[j];
        Vec3<> const u = d / r;
        Tensor const shape = ei.shape + ej.shape, inverse_shape = inverse(shape);
        Vec3<> const v = inverse_shape * u, w = inverse(ei.scale + ej.scale) * u;
        double const contact = std::sqrt(2 / dot(u, v));  // distance of the centres at contact of the surfaces
        double const eta = std::sqrt(2 * ei.volume * ej.volume / determinant(shape));
        double const root_chi = 2 * dot(u, w), chi = root_chi * root_chi;
        double const rho = sigma / (r - contact + sigma), rho6 = std::pow(rho, 6);
        double const lennard_jones = 4 * epsilon * (rho6 - 1) * rho6;
        double const slope = -24 * epsilon * (2 * rho6 - 1) * rho6 * rho / sigma;  // by r - contact
        auto const [switching, switching_slope] = switching_at(r);

        double const energy = lennard_jones * eta * chi;
        double const cube = contact * contact * contact;
        // contact = (u·v/2)^(-1/2) and chi = (2 u·w)²: u turns with d.
        Vec3<> const turning_v = (v - u * dot(u, v)) / r, turning_w = (w - u * dot(u, w)) / r;
        Vec3<> const by_d =
            (u + turning_v * (cube / 2)) * (slope * eta * chi) + turning_w * (8 * root_chi * lennard_jones * eta);
        add_force(host, i, j, by_d * -switching - u * (switching_slope * energy), d);
        Tensor const by_shape = outer(v * (-slope * eta * chi * cube / 4), v) + inverse_shape * (-energy / 2);
        Tensor const by_scale = outer(w * (-4 * root_chi * lennard_jones * eta), w);
        for (auto* e : {&ei, &ej}) {
            e->by_shape += by_shape * switching;
            e->by_scale += by_scale * switching;
        }
        return switching * energy;
    }
    std::pair<double, double> switching_at(double r) const {
        if (!force_.is_switched() || r <= force_.switching_distance) return {1, 0};
        double const width = force_.cutoff_distance - force_.switching_distance,
                     t = (r - force_.switching_distance) / width;
        return {1 + t * t * t * (-10 + t * (15 - 6 * t)), -30 * t * t * (1 - t) * (1 - t) / width};
    }

    void add_forces_of_axes(HostState& host, std::size_t i) const {
        auto const& p = force_.particles[i];
        auto const& e = ellipsoids_[i];
        if (p.x_particle < 0) return;
        auto const by_axis = [&](Vec3<> const& u, double size, double scale) {
            return (e.by_shape * u) * ((size * size - p.size_z * p.size_z) / 2)
                   + (e.by_scale * u) * (2 * (1 / std::sqrt(scale) - 1 / std::sqrt(p.scale_z)));
        };
        Vec3<> by_x = by_axis(e.x, p.size_x, p.scale_x);
        Vec3<> const dx = axis(host, i, p.x_particle);
        if (p.y_particle >= 0) {
            // y = w/|w| with w = d - x (x·d)
            Vec3<> const by_y = by_axis(e.y, p.size_y, p.scale_y), d = axis(host, i, p.y_particle);
            Vec3<> const by_w = (by_y - e.y * dot(e.y, by_y)) / norm(d - e.x * dot(d, e.x));
            by_x -= by_w * dot(d, e.x) + d * dot(e.x, by_w);
            add_between(host, i, p.y_particle, by_w - e.x * dot(e.x, by_w));
        }
        add_between(host, i, p.x_particle, (by_x - e.x * dot(e.x, by_x)) / norm(dx));
    }
    static void add_between(HostState& host, std::size_t i, int from, Vec3<> const& gradient) {
        host.forces[i] -= gradient;
        host.forces[static_cast<std::size_t>(from)] += gradient;
    }

    int index_;
    Box system_box_;
    GayBerneForce force_;
    std::vector<std::vector<std::pair<std::size_t, GayBerneForce::Exception>>> exceptions_;  // per particle
    std::vector<std::size_t> acting_;  // particles with a possible interaction
    std::vector<Vec3<>> centers_;      // of these
    std::vector<Ellipsoid> ellipsoids_;
};

template class CompiledKernel<GayBerneForce>;

}  // namespace trotter::reference
