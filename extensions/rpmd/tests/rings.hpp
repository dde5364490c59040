// Systems and settings of the tests of ring polymers.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <trotter/forces/cm_motion_remover.hpp>
#include <trotter/forces/custom_external.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/reference.hpp>
#include <trotter/rpmd/ring_polymer.hpp>
#ifdef TROTTER_TEST_DEVICES
#include <trotter/device.hpp>
#include <trotter/rpmd/device.hpp>
#endif
#include <trotter/trotter.hpp>

namespace trotter::rpmd {

using Vectors = std::vector<Vec3<>>;
using TestForces = ForceList<HarmonicBondForce, CustomExternalForce, NonbondedForce, CMMotionRemover>;
using TestSystem = System<TestForces>;

/// Positions or velocities of a copy, all different.
inline Vectors scattered(Vectors around, int copy, double by) {
    for (std::size_t i = 0; i < around.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
            around[i][axis] += by * std::sin(1.0 + static_cast<double>(7 * i + 3 * axis) + 2.0 * copy);
    return around;
}
/// Particles in a potential.
inline TestSystem in_potential(int particles, double mass, std::string const& energy, int group = 0) {
    TestSystem system;
    CustomExternalForce force{.energy = RuntimeExpression(energy), .force_group = group};
    for (int i = 0; i < particles; ++i) {
        system.add_particle(mass);
        force.affected.push_back({.particle = i});
    }
    system.add(force);
    return system;
}
/// Diatomic molecules with a virtual site between, a frozen particle, and Lennard-Jones interactions in group 1.
inline TestSystem molecules() {
    TestSystem system;
    system.box = Box::rectangular(2.2, 2.3, 2.4);
    HarmonicBondForce bonds;
    NonbondedForce pairs{.method = NonbondedForce::Method::cutoff_periodic, .cutoff_distance = 1.0, .force_group = 1};
    for (int m = 0; m < 8; ++m) {
        int const first = system.add_particle(2);
        system.add_particle(3);
        system.add_particle(0);
        system.set_virtual_site(first + 2, TwoParticleAverageSite{first, first + 1, 0.3, 0.7});
        bonds.bonds.push_back({first, first + 1, 0.1, 30000});
        pairs.particles.insert(pairs.particles.end(), {{0.2, 0.25, 0.5}, {0.1, 0.2, 0.3}, {-0.3, 0.1, 0}});
        for (auto const& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) pairs.exceptions.push_back({first + i, first + j});
    }
    system.add_particle(0);
    pairs.particles.push_back({0.5, 0.2, 0.4});
    system.add(bonds);
    system.add(pairs);
    return system;
}
inline Vectors places_of_molecules() {
    Vectors result;
    for (int m = 0; m < 8; ++m) {
        Vec3<> const at{0.2 + 1.1 * (m & 1), 0.2 + 0.55 * (m & 2), 0.2 + 0.3 * (m & 4)};
        result.insert(result.end(), {at, at + Vec3<>{0.06, 0.08, 0}, {}});
    }
    result.push_back({0.8, 0.8, 0.8});
    return result;
}

/// A ring polymer with different positions and velocities in each copy; particles without mass are at the same place.
template <class B = Reference, class P = Double> auto ring_of(TestSystem const& system,
                                                              RPMDIntegrator const& integrator, Vectors const& places,
                                                              B const& backend = {}, P = {}) {
    RingPolymer<TestSystem, B, P> ring(system, integrator, backend, P{}, 3);
    for (int k = 0; k < ring.copies(); ++k) {
        auto positions = scattered(places, k, 0.003);
        for (std::size_t i = 0; i < places.size(); ++i)
            if (system.particles.masses[i] == 0) positions[i] = places[i];
        ring.set_positions(k, positions);
        ring.set_velocities(k, scattered(Vectors(places.size()), k, 1.0));
    }
    return ring;
}
/// Positions and velocities of all copies.
template <class Ring> std::vector<Vectors> all_vectors(Ring& ring) {
    std::vector<Vectors> result;
    for (int k = 0; k < ring.copies(); ++k) {
        result.push_back(ring.positions(k));
        result.push_back(ring.velocities(k));
    }
    return result;
}
inline double largest_difference(std::vector<Vectors> const& a, std::vector<Vectors> const& b) {
    double worst = 0;
    for (std::size_t n = 0; n < a.size(); ++n)
        for (std::size_t i = 0; i < a[n].size(); ++i) worst = std::fmax(worst, norm(a[n][i] - b[n][i]));
    return worst;
}

}  // namespace trotter::rpmd
