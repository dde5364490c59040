// Validates masses, constraints and virtual sites.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/core/particles.hpp>
#include <trotter/core/repeated_pair.hpp>
#include <trotter/error.hpp>

namespace trotter {
namespace detail {

[[gnu::cold]] inline void check_constraints(Particles const& particles) {
    auto is_massless = [&](int particle) { return particles.masses[static_cast<std::size_t>(particle)] == 0; };
    auto const name = [&](std::size_t n) {
        auto const [i, j, distance] = particles.constraints[n];
        return Numbered{"constraint", n} + " between particles " + std::to_string(i) + " and " + std::to_string(j);
    };
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t n = 0; n < particles.constraints.size(); ++n) {
        auto const [i, j, distance] = particles.constraints[n];
        Numbered const where{"constraint", n};
        for (int particle : {i, j}) check_particle(particle, particles.count(), where);
        if (i == j) throw InputError(where + " ties particle " + std::to_string(i) + " to itself");
        if (!std::isfinite(distance) || distance <= 0)
            throw InputError(name(n) + " has distance " + std::to_string(distance) + ", expected a positive number");
        if (is_massless(i) != is_massless(j))
            throw InputError(name(n)
                             + " ties a massless particle to one with mass; a frozen particle cannot be constrained");
        pairs.emplace_back(i, j);
    }
    if (auto const repeated = repeated_pair(pairs))
        throw InputError(name(repeated->second) + " repeats an earlier constraint of this pair");
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
