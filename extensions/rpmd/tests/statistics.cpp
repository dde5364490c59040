// Averages of ring polymers with thermostat and barostat against exact ones.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "rings.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/reference.hpp>
#include <trotter/units.hpp>

using namespace trotter;
using namespace trotter::rpmd;

namespace {

double const kT = constants::gas_constant * 300;

/// Mean square distance of the copies from the centroid.
template <class Ring> double square_radius(Ring& ring) {
    auto const centers = ring.centroids();
    double sum = 0;
    for (int k = 0; k < ring.copies(); ++k) {
        auto const positions = ring.positions(k);
        for (std::size_t i = 0; i < centers.size(); ++i) {
            Vec3<> const d = positions[i] - centers[i];
            sum += dot(d, d);
        }
    }
    return sum / (ring.copies() * static_cast<double>(centers.size()));
}
template <class Ring> double kinetic_energy_of_copies(Ring& ring, double mass) {
    double sum = 0;
    for (int k = 0; k < ring.copies(); ++k)
        for (auto const& velocity : ring.velocities(k)) sum += 0.5 * mass * dot(velocity, velocity);
    return sum;
}

}  // namespace

TEST_CASE("rings of free particles have the exact size and kinetic energy", "[rpmd][statistics]") {
    constexpr int particles = 50, copies = 15, samples = 1000;
    auto ring = RingPolymer{in_potential(particles, 1.5, "0"),
                            RPMDIntegrator{.copies = copies, .temperature = 300, .friction = 10, .step_size = 1 * fs},
                            Reference{}, Double{}, 5};
    for (int k = 0; k < copies; ++k) ring.set_positions(k, scattered(Vectors(particles), k, 0.01));
    ring.step(500);
    double radius = 0, energy = 0;
    for (int n = 0; n < samples; ++n) {
        ring.step(1);
        radius += square_radius(ring) / samples;
        energy += kinetic_energy_of_copies(ring, 1.5) / samples;
    }
    // The radius of gyration of a ring of n beads: hbar/(2 sqrt(m kT)) sqrt(1 - 1/n²).
    double const thermal = constants::reduced_planck / (2 * std::sqrt(1.5 * kT));
    // 2,250 degrees of freedom with several tens of independent samples: standard errors below 0.5 %.
    CHECK(radius == Approx(thermal * thermal * (1 - 1.0 / (copies * copies))).epsilon(0.015));
    CHECK(energy == Approx(1.5 * particles * copies * copies * kT).epsilon(0.015));
    // Centroids are classical: 150 degrees of freedom are as hot as they are when drawn.
    CHECK(ring.kinetic_energy() == Approx(1.5 * particles * kT));
}

TEST_CASE("quantum oscillators have the exact energy", "[rpmd][statistics]") {
    constexpr int particles = 40, copies = 16, samples = 1500;
    double const frequency = 4 * kT / constants::reduced_planck, mass = 1;
    auto ring = RingPolymer{
        in_potential(particles, mass, "0.5*" + std::to_string(mass * frequency * frequency) + "*(x^2+y^2+z^2)"),
        RPMDIntegrator{.copies = copies, .temperature = 300, .friction = 2 * frequency, .step_size = 0.3 * fs},
        Reference{}, Double{}, 7};
    ring.set_positions(Vectors(particles));
    ring.set_velocities_to_temperature(300);
    ring.step(300);
    double potential = 0, kinetic = 0;
    for (int n = 0; n < samples; ++n) {
        ring.step(3);
        potential += ring.potential_energy() / samples;
        kinetic += ring.kinetic_energy() / samples;
    }
    double of_beads = 0;  // 2 <V> of an oscillator with this number of beads: kT sum of w²/(w² + w_k²)
    for (int mode = 0; mode < copies; ++mode) {
        double const spring = mode_frequency(mode, copies, 300);
        of_beads += kT * frequency * frequency / (frequency * frequency + spring * spring);
    }
    double const exact =
        0.5 * constants::reduced_planck * frequency / std::tanh(constants::reduced_planck * frequency / (2 * kT));
    // 120 oscillators, an independent sample in about 4 steps: a standard error of about 0.3 %; 16 beads are 0.6 %
    // below.
    CHECK(of_beads == Approx(exact).epsilon(0.01));
    CHECK(2 * potential / (3 * particles) == Approx(of_beads).epsilon(0.015));
    CHECK(2 * kinetic / (3 * particles) == Approx(of_beads).epsilon(0.015));
}

TEST_CASE("a contracted ring has the statistics of its energy", "[rpmd][statistics]") {
    // Stiff and soft oscillators: the soft ones on 3 of 9 copies.
    constexpr int particles = 40, copies = 9, samples = 1500;
    auto system = in_potential(particles, 1, "5000*x^2");
    CustomExternalForce soft{.energy = RuntimeExpression("500*y^2"), .force_group = 2};
    for (int i = 0; i < particles; ++i) soft.affected.push_back({.particle = i});
    system.add(soft);
    RPMDIntegrator const integrator{
        .copies = copies, .temperature = 300, .friction = 60, .step_size = 1 * fs, .contractions = {{2, 3}}};
    auto ring = RingPolymer{system, integrator, Reference{}, Double{}, 9};
    ring.set_positions(Vectors(particles));
    ring.set_velocities_to_temperature(300);
    ring.step(500);
    double y2 = 0;
    for (int n = 0; n < samples; ++n) {
        ring.step(8);
        for (int k = 0; k < copies; ++k)
            for (auto const& place : ring.positions(k)) y2 += place.y * place.y / (samples * copies * particles);
    }
    double expected = 0;  // modes of one wave and the mean have the potential, the others springs alone
    for (int mode = 0; mode < copies; ++mode) {
        double const spring = mode_frequency(mode, copies, 300);
        expected += kT / (spring * spring + (mode < 3 ? 1000 : 0));
    }
    CHECK(y2
          == Approx(expected).epsilon(0.05));  // 40 centroids, independent in about 60 steps: a standard error of 1.6 %
}

TEST_CASE("an ideal gas of molecules has the exact mean volume", "[rpmd][statistics]") {
    constexpr int molecules = 40, samples = 6000;
    TestSystem system;
    system.box = Box::rectangular(3, 3, 3);
    HarmonicBondForce bonds{.periodic = true};
    Vectors places;
    for (int m = 0; m < molecules; ++m) {
        system.add_particle(2), system.add_particle(1);
        bonds.bonds.push_back({2 * m, 2 * m + 1, 0.1, 1000});
        places.insert(places.end(), {{0.05 * m, 0, 0}, {0.05 * m, 0.1, 0}});
    }
    system.add(bonds);
    double const pressure = molecules * kT / 27 / constants::bar;
    auto ring = RingPolymer{system,
                            RPMDIntegrator{.copies = 2,
                                           .temperature = 300,
                                           .friction = 10,
                                           .step_size = 0.5 * fs,
                                           .barostat = RPMDMonteCarloBarostat{.pressure = pressure, .frequency = 1}},
                            Reference{}, Double{}, 2};
    ring.set_positions(places);
    ring.step(500);
    double volume = 0;
    for (int n = 0; n < samples; ++n) {
        ring.step(1);
        volume += ring.box().volume() / samples;
    }
    // <V> = (N + 1) kT/P; it varies by 1/sqrt(N + 1), and is independent after about 20 moves: a standard error of 1 %.
    // Fewer molecules would accept moves so large that their size is bounded by the volume, which is a bias.
    CHECK(volume == Approx(27.0 * (molecules + 1) / molecules).epsilon(0.03));
}
