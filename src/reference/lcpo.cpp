// LCPOForce: surface areas from pairs and triples of overlapping spheres.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include <trotter/core/range_check.hpp>
#include <trotter/forces/lcpo.hpp>
#include <trotter/reference/neighbors.hpp>

#include "define_kernel.hpp"

namespace trotter::reference {

/// The area of sphere i is P1 S_i + P2 Σ_j A_ij + P3 Σ_jk A_jk + P4 Σ_j A_ij Σ_k A_jk, where S is the area of the
/// isolated sphere, A_ij = 2 pi r_i (r_i - d/2 - (r_i² - r_j²)/(2 d)) the area of i covered by j, and spheres j and k
/// overlap with i and each other (J. Weiser, P. S. Shenkin, W. C. Still, J. Comput. Chem. 20, 217 (1999), eqs. 3 to 5).
template <> class CompiledKernel<LCPOForce>::Implementation {
public:
    Implementation(LCPOForce const& force, Engine<Reference, Double>& engine, Registration who)
        : index_(who.index), system_box_(engine.host.box) {
        update(force, engine);
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, force_.force_group)) return 0;
        find_neighbors(host);
        double area = 0;
        for (auto const& [radius, p1, p2, p3, p4] : force_.particles)
            area += p1 * 4 * std::numbers::pi * radius * radius;
        for (std::size_t j = 0; j < neighbors_.size(); ++j) {
            for (std::size_t n = 0; n < neighbors_[j].size(); ++n)
                place_[neighbors_[j][n].particle] = static_cast<int>(n);
            for (auto const& k : neighbors_[j]) area += add_pair(host, j, k);
            for (auto const& k : neighbors_[j]) place_[k.particle] = -1;
        }
        return force_.surface_tension * area;
    }

    /// Updates per-particle parameters and the surface tension.
    void update(LCPOForce const& force, Engine<Reference, Double>& engine) {
        check_particle_number(force.particles.size(), engine.host.particles.count());
        for (std::size_t i = 0; i < force.particles.size(); ++i)
            check_fields(LCPOForce::fields, force.particles[i], Numbered{"particle", i});
        if (!std::isfinite(force.surface_tension))
            throw InputError("the surface tension is " + std::to_string(force.surface_tension)
                             + ", expected a finite number");
        if (force.periodic && 2 * force.reach() > system_box_.shortest_width())
            throw InputError("the largest radius is " + std::to_string(force.reach() / 2)
                             + " nm, expected at most a quarter of the " + std::to_string(system_box_.shortest_width())
                             + " nm of the System's shortest periodic box width");
        force_ = force;
        reach_ = force.reach();
        place_.assign(force.particles.size(), -1);
    }

private:
    struct Neighbor {
        std::size_t particle;
        Vec3<> difference;  ///< vector from the particle to the neighbor
        double distance;
        double covered;  ///< area of the particle covered by the neighbor
        double covers;   ///< area of the neighbor covered by the particle
    };
    double radius(std::size_t i) const { return force_.particles[i].radius; }
    double covered_area(std::size_t i, std::size_t j, double d) const {
        double const r = radius(i), s = radius(j);
        return 2 * std::numbers::pi * r * (r - d / 2 - (r * r - s * s) / (2 * d));
    }
    double covered_slope(std::size_t i, std::size_t j, double d) const {
        double const r = radius(i), s = radius(j);
        return std::numbers::pi * r * ((r * r - s * s) / (d * d) - 1);
    }

    void find_neighbors(HostState const& host) {
        neighbors_.assign(force_.particles.size(), {});
        if (reach_ == 0) return;
        reference::for_each_pair({reach_, force_.periodic}, host.positions, host.box,
                                 [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
                                     if (radius(i) == 0 || radius(j) == 0) return;
                                     double const r = std::sqrt(r2);
                                     if (r >= radius(i) + radius(j)) return;
                                     double const of_i = covered_area(i, j, r), of_j = covered_area(j, i, r);
                                     neighbors_[i].push_back({j, -d, r, of_i, of_j});
                                     neighbors_[j].push_back({i, d, r, of_j, of_i});
                                 });
    }
    /// Returns the contribution of A_jk to the total area, and adds the forces from its change; changes of its
    /// coefficients are left to their own pairs. `place_` has the indices of j's neighbors.
    double add_pair(HostState& host, std::size_t j, Neighbor const& k) const {
        auto const& of_j = force_.particles[j];
        double coefficient = of_j.p2, slope = of_j.p2;  // slope: of the total area by A_jk
        for (auto const& l : neighbors_[k.particle])
            if (int const n = place_[l.particle]; n >= 0) {
                auto const& of_l = force_.particles[l.particle];
                double const covered_of_l = neighbors_[j][static_cast<std::size_t>(n)].covers;
                coefficient += of_l.p3 + of_l.p4 * covered_of_l;
                slope += of_l.p3 + of_l.p4 * covered_of_l + of_j.p4 * l.covered;
            }
        Vec3<> const pull =
            k.difference * (force_.surface_tension * slope * covered_slope(j, k.particle, k.distance) / k.distance);
        add_force(host, j, k.particle, pull, -k.difference);
        return k.covered * coefficient;
    }

    int index_;
    Box system_box_;
    LCPOForce force_;
    double reach_ = 0;  // spheres farther apart do not overlap
    std::vector<std::vector<Neighbor>> neighbors_;
    std::vector<int> place_;  // index in the neighbor list, or -1
};

template class CompiledKernel<LCPOForce>;

}  // namespace trotter::reference
