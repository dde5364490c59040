// Particles of a System: masses, constraints and virtual sites.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <map>
#include <vector>

#include <trotter/core/virtual_sites.hpp>

namespace trotter {

/// A fixed distance.
struct Constraint {
    int particle1 = 0, particle2 = 0;  ///< particle indices, from 0
    double distance = 0;  ///< [nm]
};

/// Masses, constraints and virtual sites. A mass of 0 freezes a particle, unless it is a virtual site.
struct Particles {
    std::vector<double> masses{};  ///< [amu]
    std::vector<Constraint> constraints{};  ///< at most one for each pair
    std::map<int, VirtualSite> virtual_sites{};  ///< by particle index

    /// Number of particles, virtual sites included.
    int count() const { return static_cast<int>(masses.size()); }
    double total_mass() const {  ///< [amu]
        double total = 0;
        for (double const mass : masses) total += mass;
        return total;
    }
    /// 3 for each particle with mass, minus 1 for each constraint on a particle with mass, minus 3 if
    /// `motion_is_removed` from the center of mass.
    int degrees_of_freedom(bool motion_is_removed) const {
        auto const has_mass = [&](int particle) { return masses[static_cast<std::size_t>(particle)] > 0; };
        int number = motion_is_removed ? -3 : 0;
        for (double const mass : masses) number += mass > 0 ? 3 : 0;
        for (auto const& [particle1, particle2, distance] : constraints)
            number -= has_mass(particle1) || has_mass(particle2) ? 1 : 0;
        return number;
    }
    /// Whether the particle's position is that of a virtual site.
    bool is_virtual(int particle) const { return virtual_sites.contains(particle); }

    /// Throws InputError for the first invalid mass, constraint or virtual site. Defined in
    /// `particles_check.hpp`; a Context calls it.
    void check() const;
};

}  // namespace trotter
