// The particles of a System and what ties them together, whatever forces act on them.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <vector>

#include <trotter/virtual_sites/virtual_sites.hpp>

namespace trotter {

/// A distance that never changes.
struct Constraint {
    int particle1 = 0, particle2 = 0;
    double distance = 0;  ///< [nm]
};

/// Masses, constraints and virtual sites. A mass of 0 freezes a particle, unless it is a virtual site.
struct Particles {
    std::vector<double> masses{};  ///< [amu]
    std::vector<Constraint> constraints{};
    std::map<int, VirtualSite> virtual_sites{};

    int count() const { return static_cast<int>(masses.size()); }
    bool is_virtual(int particle) const { return virtual_sites.contains(particle); }

    /// Throws InputError for the first mass, constraint or virtual site that makes no sense. Defined in
    /// `particles_check.hpp`; a Context calls it.
    void check() const;
};

}  // namespace trotter
