// Where particles of AmoebaVdwForce interact.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/amoeba/vdw.hpp>
#include <trotter/vec3.hpp>

namespace trotter::amoeba {

/// The share of a particle in its site; the rest is its parent's.
inline double share_in_site(AmoebaVdwForce::Particle const& particle, std::size_t index) {
    bool const is_at_particle = particle.reduction == 0 || static_cast<std::size_t>(particle.parent) == index;
    return is_at_particle ? 1 : particle.reduction;
}

/// The site of the particle `i`.
inline Vec3<> site_of(AmoebaVdwForce const& force, std::size_t i, std::vector<Vec3<>> const& positions) {
    auto const& particle = force.particles[i];
    double const share = share_in_site(particle, i);
    if (share == 1) return positions[i];
    Vec3<> const parent = positions[static_cast<std::size_t>(particle.parent)];
    return parent + (positions[i] - parent) * share;
}

/// Adds the force on the site of the particle `i` to those on the particle and its parent.
inline void add_site_force(AmoebaVdwForce const& force, std::size_t i, Vec3<> const& on_site,
                           std::vector<Vec3<>>& forces) {
    auto const& particle = force.particles[i];
    double const share = share_in_site(particle, i);
    forces[i] += on_site * share;
    if (share != 1) forces[static_cast<std::size_t>(particle.parent)] += on_site * (1 - share);
}

}  // namespace trotter::amoeba
