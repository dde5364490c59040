// The particles of a System and what ties them together, whatever forces act on them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <trotter/error.hpp>
#include <trotter/field.hpp>
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

    /// Throws InputError for the first mass, constraint or virtual site that makes no sense.
    void check() const {
        for (int i = 0; i < count(); ++i)
            if (double const mass = masses[static_cast<std::size_t>(i)]; !std::isfinite(mass) || mass < 0)
                throw InputError("particle " + std::to_string(i) + " has mass " + std::to_string(mass)
                                 + ", expected a finite number that is not negative");
        check_constraints();
        for (auto const& [particle, site] : virtual_sites) check_site(particle, site);
    }

private:
    void check_constraints() const {
        std::set<std::pair<int, int>> seen;
        for (std::size_t n = 0; n < constraints.size(); ++n) {
            auto const [i, j, distance] = constraints[n];
            std::string const where = "constraint " + std::to_string(n);
            for (int particle : {i, j}) check_particle(particle, count(), where);
            std::string const pair = where + " between particles " + std::to_string(i) + " and " + std::to_string(j);
            if (i == j) throw InputError(where + " ties particle " + std::to_string(i) + " to itself");
            if (!std::isfinite(distance) || distance <= 0)
                throw InputError(pair + " has distance " + std::to_string(distance) + ", expected a positive number");
            if ((masses[static_cast<std::size_t>(i)] == 0) != (masses[static_cast<std::size_t>(j)] == 0))
                throw InputError(pair + " ties a massless particle to one with mass; a frozen particle cannot be constrained");
            if (!seen.insert(std::minmax(i, j)).second) throw InputError(pair + " repeats an earlier constraint of this pair");
        }
    }
    void check_site(int particle, VirtualSite const& site) const;
};

inline void Particles::check_site(int particle, VirtualSite const& site) const {
    std::string const where = "the virtual site of particle " + std::to_string(particle);
    check_particle(particle, count(), where);
    if (masses[static_cast<std::size_t>(particle)] != 0)
        throw InputError("particle " + std::to_string(particle) + " is a virtual site but has mass "
                         + std::to_string(masses[static_cast<std::size_t>(particle)]) + ", expected 0");
    for (int parent : parents(site)) {
        check_particle(parent, count(), where);
        if (parent == particle) throw InputError(where + " depends on itself");
    }
}

}  // namespace trotter
