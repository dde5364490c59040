// What follows from the parameters of a NonbondedForce, the same on every backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/global_parameters.hpp>

namespace trotter {

/// The splitting parameter [1/nm] at which erfc(alpha·cutoff) is about `tolerance`.
inline double chosen_alpha(double cutoff, double tolerance) { return std::sqrt(-std::log(2 * tolerance)) / cutoff; }

/// What this process may take at most [bytes].
double memory_of_machine();

/// Splitting and mesh of the charges in PME and LJPME. `box` is the System's: the choice stands for good. Throws
/// InputError for sizes beyond what can be numbered, and for meshes that take more than `memory` [bytes].
MeshSettings pme_mesh(NonbondedForce const& force, Box const& box, double memory = memory_of_machine());
/// Splitting and mesh of the dispersion in LJPME.
MeshSettings ljpme_mesh(NonbondedForce const& force, Box const& box, double memory = memory_of_machine());

/// What a plain Ewald sum sums: wave vectors with |k| < `wave_limit` along each axis.
struct EwaldSplitting {
    double alpha = 0;  ///< [1/nm]
    std::array<int, 3> wave_limit{};
};

/// OpenMM's choice: the first odd number at which the estimated error has fallen below the tolerance.
EwaldSplitting ewald_splitting(NonbondedForce const& force, Box const& box, double memory = memory_of_machine());

/// E = q1 q2 (1/r + k r² - c) within the cutoff (I. G. Tironi, R. Sperb, P. E. Smith, W. F. van Gunsteren,
/// J. Chem. Phys. 102, 5451 (1995)); all zero is plain Coulomb.
struct ReactionField {
    double k = 0;  ///< [1/nm³]
    double c = 0;  ///< [1/nm]
};

/// The reaction field of a force with a plain cutoff; none for the other methods.
ReactionField reaction_field(NonbondedForce const& force);

/// Lennard-Jones falls to zero as 1 - 10t³ + 15t⁴ - 6t⁵ with t = (r - start)·inverse_width.
struct Switching {
    double start = 0, inverse_width = 0;
};

/// The switching that acts: none without a cutoff and in LJPME, whatever the force's flag says.
std::optional<Switching> switching(NonbondedForce const& force);

/// The particles' parameters at the present values of the global parameters.
std::vector<NonbondedForce::Particle> effective_particles(NonbondedForce const& force,
                                                          GlobalParameters const& parameters);
/// The same for the exceptions.
std::vector<NonbondedForce::Exception> effective_exceptions(NonbondedForce const& force,
                                                            GlobalParameters const& parameters);

/// For each particle the others whose pairs have an exception, ascending: they are left out of the sum over pairs.
std::vector<std::vector<int>> exclusions(NonbondedForce const& force);

/// C6 of a particle with itself is the square of this; the mesh of LJPME uses products, C6_ij = 4 √(ε_i ε_j) σ_i³ σ_j³.
inline double dispersion_charge(NonbondedForce::Particle const& particle) {
    return 2 * std::sqrt(particle.epsilon) * particle.sigma * particle.sigma * particle.sigma;
}

/// What a sum over wave vectors counts too much: each charge's own cloud, and (for a box with net charge) the missing
/// neutralizing background: E = -k alpha/√π Σ q² - k pi (Σ q)²/(2 V alpha²).
double ewald_constant_energy(std::vector<NonbondedForce::Particle> const& particles, double alpha,
                             double volume);

/// The same for dispersion: E = alpha⁶/12 Σ C6_ii.
double ljpme_constant_energy(std::vector<NonbondedForce::Particle> const& particles, double alpha);

/// The energy [kJ/mol nm³] that, divided by the volume, stands for the Lennard-Jones tails beyond the cutoff and in the
/// switching range: 8 pi N² (<ε σ^12> J(12) - <ε σ^6> J(6)) with J(n) = ∫ (1 - S) r^(2-n) dr (M. P. Allen and
/// D. J. Tildesley, Computer Simulation of Liquids, 2.8). Global parameters count with their default values; 0 where
/// the correction does not apply.
double dispersion_coefficient(NonbondedForce const& force);

}  // namespace trotter
