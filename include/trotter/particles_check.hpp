// What makes no sense of particles, constraints and virtual sites.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include <trotter/error.hpp>
#include <trotter/field.hpp>
#include <trotter/particles.hpp>

namespace trotter {
namespace detail {

[[gnu::cold]] inline void check_constraints(Particles const& particles) {
    auto is_massless = [&](int particle) { return particles.masses[static_cast<std::size_t>(particle)] == 0; };
    std::set<std::pair<int, int>> seen;
    for (std::size_t n = 0; n < particles.constraints.size(); ++n) {
        auto const [i, j, distance] = particles.constraints[n];
        std::string const where = "constraint " + std::to_string(n);
        for (int particle : {i, j}) check_particle(particle, particles.count(), where);
        std::string const pair = where + " between particles " + std::to_string(i) + " and " + std::to_string(j);
        if (i == j) throw InputError(where + " ties particle " + std::to_string(i) + " to itself");
        if (!std::isfinite(distance) || distance <= 0)
            throw InputError(pair + " has distance " + std::to_string(distance) + ", expected a positive number");
        if (is_massless(i) != is_massless(j))
            throw InputError(pair + " ties a massless particle to one with mass; a frozen particle cannot be constrained");
        if (!seen.insert(i < j ? std::pair(i, j) : std::pair(j, i)).second) throw InputError(pair + " repeats an earlier constraint of this pair");
    }
}

[[gnu::cold]] inline void check_site(Particles const& particles, int particle, VirtualSite const& site) {
    std::string const where = "the virtual site of particle " + std::to_string(particle);
    check_particle(particle, particles.count(), where);
    if (double const mass = particles.masses[static_cast<std::size_t>(particle)]; mass != 0)
        throw InputError("particle " + std::to_string(particle) + " is a virtual site but has mass "
                         + std::to_string(mass) + ", expected 0");
    for (int parent : parents(site)) {
        check_particle(parent, particles.count(), where);
        if (parent == particle) throw InputError(where + " depends on itself");
    }
}

}  // namespace detail

[[gnu::cold]] inline void Particles::check() const {
    for (int i = 0; i < count(); ++i)
        if (double const mass = masses[static_cast<std::size_t>(i)]; !std::isfinite(mass) || mass < 0)
            throw InputError("particle " + std::to_string(i) + " has mass " + std::to_string(mass)
                             + ", expected a finite number that is not negative");
    detail::check_constraints(*this);
    for (auto const& [particle, site] : virtual_sites) detail::check_site(*this, particle, site);
}

}  // namespace trotter
