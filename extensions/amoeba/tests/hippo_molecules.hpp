// Molecules of five atoms with all that HIPPO has, for its tests.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <random>
#include <vector>

#include <trotter/amoeba/hippo_nonbonded.hpp>

namespace hippo_test {

using namespace trotter;
using AxisType = HippoNonbondedForce::AxisType;
using Method = HippoNonbondedForce::Method;
using Particle = HippoNonbondedForce::Particle;

inline Box const skewed{{2.2, 0, 0}, {0.6, 2.1, 0}, {-0.7, 0.4, 2.0}};

/// Another particle of the molecule of five that particle `i` is in.
inline int neighbor_of(int i, int n) { return i - i % 5 + (i % 5 + n) % 5; }

/// Axes and moments of particle `i`; moments of particles with one axis are symmetric about it.
inline void set_moments(Particle& particle, int i, AxisType type) {
    auto const neighbor = [&](int n) { return neighbor_of(i, n); };
    particle.axis_type = type;
    if (type != AxisType::none) particle.axis_z = neighbor(1);
    if (type != AxisType::none && type != AxisType::z_only) particle.axis_x = neighbor(2);
    if (type == AxisType::z_bisect || type == AxisType::three_fold) particle.axis_y = neighbor(3);
    double const q = 2e-4 + 1e-5 * (i % 7), s = type == AxisType::z_only ? 0 : 1;
    particle.dipole = {s * 0.002, -s * 0.001, 0.003 + 0.0001 * (i % 4)};
    particle.quadrupole = {q * (0.5 + 0.4 * s), 0, s * 1e-4, 0, q * (0.5 - 0.4 * s), -s * 5e-5, s * 1e-4, -s * 5e-5, -q};
}

/// Molecules of a center and four atoms, with axes of the given types in turn; `particle_of(kind)` has the other numbers
/// of a particle of one of three kinds.
template <class ParticleOf> HippoNonbondedForce molecules_of(int count, std::vector<AxisType> const& types, Method method,
                                                             ParticleOf const& particle_of) {
    HippoNonbondedForce force{.method = method,
                              .cutoff_distance = 0.8,
                              .switching_distance = 0.7,
                              .pme = {3.6, 24, 25, 21},
                              .dispersion_pme = {3.3, 16, 15, 14}};
    for (int i = 0; i < 5 * count; ++i) {
        Particle particle = particle_of(i % 3);
        particle.charge = 0.1 * (i % 5 - 2);
        set_moments(particle, i, types[static_cast<std::size_t>(i) % types.size()]);
        force.particles.push_back(particle);
        for (int other = i - i % 5; other < i; ++other)
            if ((i + other) % 4 > 0)
                force.exceptions.push_back({i, other, 0, 0.2, 0.6, 0, 0.1, 0});
            else
                force.exceptions.push_back({other, i, 0.3, 0.3, 0.5, 0.4, 0, 0.7});
    }
    return force;
}

/// Places of the particles in the skewed box.
inline std::vector<Vec3<>> places(int count) {
    std::mt19937 generator(7);
    auto uniform = [&] { return static_cast<double>(generator()) / 0x1p32 - 0.5; };
    std::vector<Vec3<>> const shape{{0, 0, 0}, {0.1, 0, 0}, {-0.03, 0.1, 0}, {-0.03, -0.04, 0.1}, {-0.03, -0.06, -0.09}};
    std::vector<Vec3<>> positions;
    for (int n = 0; n < count; ++n) {
        Vec3<> const center = skewed.a * (n % 3 / 3.0) + skewed.b * (n / 3 % 3 / 3.0) + skewed.c * (n / 9 % 3 / 3.0);
        for (auto const& atom : shape)
            positions.push_back(center + atom + Vec3<>{uniform(), uniform(), uniform()} * 0.02);
    }
    return positions;
}

}  // namespace hippo_test
