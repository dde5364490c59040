// Molecules with multipoles, and kernels to evaluate them, for tests of AmoebaMultipoleForce.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <trotter/amoeba/kernels.hpp>
#include <trotter/amoeba/multipole.hpp>

#include "simulation.hpp"

namespace amoeba_multipole_test {

using namespace trotter;
using Vectors = std::vector<Vec3<>>;
using Axis = AmoebaMultipoleForce::Axis;
using Method = AmoebaMultipoleForce::Method;
using Multipole = AmoebaMultipoleForce::Multipole;
using Polarization = AmoebaMultipoleForce::Polarization;

inline Box const skewed{{2.2, 0, 0}, {0.6, 2.1, 0}, {-0.7, 0.8, 2.3}};

struct Simulated : KernelSimulation<AmoebaMultipoleForce> {
    explicit Simulated(AmoebaMultipoleForce const& force, Box const& box = skewed, int threads = 1)
        : KernelSimulation(force, force.multipoles.size(), box, threads) {}
};

/// Reproducible numbers from -1 to 1.
class Numbers {
public:
    explicit Numbers(unsigned seed) : generator_(seed) {}
    double next() { return static_cast<double>(generator_()) / 0x1p31 - 1; }
    Vec3<> vector() {
        double const x = next(), y = next();
        return {x, y, next()};
    }

private:
    std::mt19937 generator_;
};

/// Moments that are symmetric about z if `is_axial`.
inline void set_moments(Multipole& m, Numbers& numbers, bool is_axial) {
    constexpr double dipole = 0.005, quadrupole = 0.0005;
    Vec3<> const d = numbers.vector(), diagonal = numbers.vector(), off = numbers.vector();
    if (is_axial) {
        m.dipole = {0, 0, dipole * d.z};
        m.quadrupole = {-quadrupole, 0, 0, 0, -quadrupole, 0, 0, 0, 2 * quadrupole};
        return;
    }
    double const mean = (diagonal.x + diagonal.y + diagonal.z) / 3;
    m.dipole = {dipole * d.x, dipole * d.y, dipole * d.z};
    m.quadrupole = {diagonal.x - mean, off.x, off.y, off.x, diagonal.y - mean, off.z, off.y, off.z, diagonal.z - mean};
    for (double& q : m.quadrupole) q *= quadrupole;
}

/// Lists of neighbours in molecules of a center (number 0 of 5) and four atoms, in polarization groups {0, 1, 2} and
/// {3, 4}; every second molecule is at 3 to 4 bonds from the one before.
inline void set_neighbors(Multipole& m, int particle, int count) {
    int const own = particle % 5, first = particle - own, molecule = particle / 5;
    int const other = molecule % 2 == 0 ? first + 5 : first - 5;
    for (int n = 0; n < 5; ++n) {
        int const j = first + n;
        if (n != own)
            m.covalent[own == 0 || n == 0 ? AmoebaMultipoleForce::covalent_12 : AmoebaMultipoleForce::covalent_13]
                .push_back(j);
        bool const is_same_group = (n < 3) == (own < 3);
        m.covalent[is_same_group ? AmoebaMultipoleForce::polarization_11 : AmoebaMultipoleForce::polarization_12]
            .push_back(j);
    }
    if (other >= count) return;
    m.covalent[AmoebaMultipoleForce::covalent_14] = {other + own, other + (own + 1) % 5};
    m.covalent[AmoebaMultipoleForce::covalent_15] = {other + (own + 2) % 5};
    m.covalent[AmoebaMultipoleForce::polarization_11].push_back(other + own);
}

/// Molecules of five atoms whose frames are of these types in turn.
inline AmoebaMultipoleForce molecules(int molecule_count, std::vector<Axis> const& axes,
                                      Polarization polarization = Polarization::mutual,
                                      Method method = Method::no_cutoff) {
    AmoebaMultipoleForce force{.method = method,
                               .polarization = polarization,
                               .cutoff_distance = 0.8,
                               .pme = {3.6, 17, 16, 18},
                               .mutual_target_epsilon = 1e-11,
                               .mutual_max_iterations = 200};
    Numbers numbers(7);
    for (int i = 0; i < 5 * molecule_count; ++i) {
        int const own = i % 5, first = i - own;
        auto& m = force.multipoles.emplace_back();
        m.charge = own == 0 ? -0.3 : 0.05 + 0.05 * (own % 2);
        m.axis = axes[static_cast<std::size_t>(i) % axes.size()];
        auto const other = [&](int n) { return first + (own + n) % 5; };
        if (m.axis != Axis::none) m.z_particle = other(1);
        if (m.axis != Axis::none && m.axis != Axis::z_only) m.x_particle = other(2);
        bool const is_chiral = m.axis == Axis::z_then_x && i % 2 == 1;
        if (m.axis == Axis::z_bisect || m.axis == Axis::three_fold || is_chiral) m.y_particle = other(3);
        set_moments(m, numbers, m.axis == Axis::z_only);
        m.thole = own == 3 ? 0.2 : 0.39;
        m.polarizability = own == 0 ? 0.0008 : own == 4 ? 0 : 0.0004;
        m.damping = std::pow(m.polarizability, 1.0 / 6);
        set_neighbors(m, i, 5 * molecule_count);
    }
    return force;
}

/// Molecules on a lattice of 0.6 nm, turned at random.
inline Vectors places(int molecule_count, int along = 2) {
    Vectors result;
    Numbers numbers(11);
    for (int n = 0; n < molecule_count; ++n) {
        Vec3<> const center{0.6 * (n % along), 0.6 * (n / along % along), 0.6 * (n / along / along)};
        result.push_back(center + numbers.vector() * 0.02);
        for (Vec3<> const& arm : {Vec3<>{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}})
            result.push_back(center + arm * 0.06 + numbers.vector() * 0.02);
    }
    return result;
}

/// A solvent for these multipoles.
inline AmoebaGeneralizedKirkwoodForce solvent_of(AmoebaMultipoleForce const& force) {
    AmoebaGeneralizedKirkwoodForce result;
    for (std::size_t i = 0; i < force.multipoles.size(); ++i) {
        double const radius = i % 5 == 0 ? 0.17 : 0.12 + 0.005 * static_cast<double>(i % 3);
        result.particles.push_back({force.multipoles[i].charge, radius, 0.69, radius, 0});
    }
    return result;
}

}  // namespace amoeba_multipole_test
