// Quantities derived from the parameters of a NonbondedForce, the same on every backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <optional>
#include <vector>

#include <trotter/base/global_parameters.hpp>
#include <trotter/box.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/parts/mesh/mesh_sizes.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace trotter {

/// What the force sums over wave vectors: its charges, and their dispersion in LJPME; nothing by the other methods.
/// `box` is the System's: splitting and sizes stand for good. Throws as `chosen_mesh`.
std::optional<ReciprocalCharges> reciprocal_charges(NonbondedForce const& force, MeshKind kind, Box const& box,
                                                    double memory = memory_of_machine());
/// What `reciprocal_charges` has of these particles.
std::vector<double> charges_for(MeshKind kind, std::vector<NonbondedForce::Particle> const& particles);

/// What acts between pairs within the cutoff; `meshes` says what is left to reciprocal space. There is a reaction field
/// with a plain cutoff alone, and no switching without a cutoff and in LJPME, whatever the force's flag says.
DirectSpace direct_space(NonbondedForce const& force, UsedMeshes const& meshes = {});

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

/// Per-particle Lennard-Jones parameters in the form that pair loops need:
/// sigma_12 is the sum of `half_sigma`, 4 epsilon_12 the product of `root`, and the
/// mesh's C6_12 the product of `dispersion_charge`.
struct LennardJonesSite {
    double half_sigma = 0, root = 0, dispersion_charge = 0;  ///< [nm], [(kJ/mol)^½], [(kJ/mol)^½ nm³]

    LennardJonesSite() = default;
    /// From sigma and epsilon of a particle.
    explicit LennardJonesSite(NonbondedForce::Particle const& particle)
        : half_sigma(particle.sigma / 2),
          root(2 * std::sqrt(particle.epsilon)),
          dispersion_charge(trotter::dispersion_charge(particle)) {}
};

/// The energy [kJ/mol nm³] that, divided by the volume, stands for the Lennard-Jones tails beyond the cutoff and in the
/// switching range: 8 pi N² (<ε σ^12> J(12) - <ε σ^6> J(6)) with J(n) = ∫ (1 - S) r^(2-n) dr (M. P. Allen and
/// D. J. Tildesley, Computer Simulation of Liquids, 2.8). Global parameters count with their default values; 0 where
/// the correction does not apply.
double dispersion_coefficient(NonbondedForce const& force);

}  // namespace trotter
