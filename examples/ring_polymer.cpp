// Quantum nuclei by ring polymer molecular dynamics: the kinetic energy of liquid para-hydrogen.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <vector>

#include <trotter/forces/nonbonded.hpp>
#include <trotter/reference.hpp>
#include <trotter/rpmd/ring_polymer.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

/// Molecules as Lennard-Jones particles on a lattice, at 20.6 molecules/nm³.
System<ForceList<NonbondedForce>> hydrogen(int edge, std::vector<Vec3<>>& positions) {
    System<ForceList<NonbondedForce>> system;
    double const spacing = std::cbrt(1 / 20.6);
    system.box = Box::rectangular(edge * spacing, edge * spacing, edge * spacing);
    NonbondedForce force{.method = NonbondedForce::Method::cutoff_periodic, .cutoff_distance = 0.49 * edge * spacing};
    for (int n = 0; n < edge * edge * edge; ++n) {
        system.add_particle(2.016 * amu);
        force.particles.push_back({.charge = 0, .sigma = 0.2958 * nm, .epsilon = 36.7 * constants::gas_constant});
        positions.push_back(Vec3<>(n % edge, n / edge % edge, n / (edge * edge)) * spacing);
    }
    system.add(force);
    return system;
}

int main() {
    constexpr double temperature = 25 * kelvin;
    std::vector<Vec3<>> positions;
    auto const system = hydrogen(4, positions);
    for (int const copies : {1, 4, 16}) {
        rpmd::RingPolymer ring{
            system,
            RPMDIntegrator{.copies = copies, .temperature = temperature, .friction = 5 / ps, .step_size = 2 * fs},
            Reference{}, Double{}};
        ring.set_positions(positions);
        ring.set_velocities_to_temperature(temperature);
        ring.step(250);
        double kinetic = 0;
        for (int n = 0; n < 50; ++n) {
            ring.step(10);
            kinetic += ring.kinetic_energy() / (50 * system.particle_count());
        }
        // 1.5 kT for classical molecules; zero-point motion adds about 30 K.
        std::printf("%2d copies: kinetic energy %.1f K per molecule\n", copies, kinetic / constants::gas_constant);
    }
}
