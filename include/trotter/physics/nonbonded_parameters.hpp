// Quantities derived from the parameters of a NonbondedForce, common to all backends, and its pairs as these get them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <optional>
#include <vector>

#include <trotter/base/global_parameters.hpp>
#include <trotter/box.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>
#include <trotter/parts/mesh/mesh_sizes.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace trotter {

/// Returns the reciprocal-space sum of the force's charges, or of dispersion in LJPME, by `kind`; nothing if the method
/// has none. `box` is the System's: splitting and mesh sizes never change. Throws as `chosen_mesh`.
std::optional<ReciprocalCharges> reciprocal_charges(NonbondedForce const& force, MeshKind kind, Box const& box,
                                                    double memory = memory_of_machine());
/// Returns the charges of `reciprocal_charges` for these particles.
std::vector<double> charges_for(MeshKind kind, std::vector<NonbondedForce::Particle> const& particles);

/// Returns the interaction of pairs within the cutoff, minus the reciprocal-space part of `meshes`. A reaction field
/// acts with a plain cutoff only; there is no switching without a cutoff or in LJPME, whatever the force's flag.
DirectSpace direct_space(NonbondedForce const& force, UsedMeshes const& meshes = {});

/// Returns the particles' parameters for the current global parameters.
std::vector<NonbondedForce::Particle> effective_particles(NonbondedForce const& force,
                                                          GlobalParameters const& parameters);
/// Returns the exceptions for the current global parameters.
std::vector<NonbondedForce::Exception> effective_exceptions(NonbondedForce const& force,
                                                            GlobalParameters const& parameters);

/// Returns for each particle its partners in exceptions, ascending: excluded from the sum over pairs.
std::vector<std::vector<int>> exclusions(NonbondedForce const& force);

/// Returns √C6 of a particle; the LJPME mesh uses products, C6_ij = 4 √(ε_i ε_j) σ_i³ σ_j³.
inline double dispersion_charge(NonbondedForce::Particle const& particle) {
    return 2 * std::sqrt(particle.epsilon) * particle.sigma * particle.sigma * particle.sigma;
}

/// Per-particle Lennard-Jones parameters for pair loops: sigma_12 is the sum of `half_sigma`, 4 epsilon_12 the product
/// of `root`, and the mesh's C6_12 the product of `dispersion_charge`.
struct LennardJonesSite {
    double half_sigma = 0, root = 0, dispersion_charge = 0;  ///< [nm], [(kJ/mol)^½], [(kJ/mol)^½ nm³]

    LennardJonesSite() = default;
    /// Converts sigma and epsilon of a particle.
    explicit LennardJonesSite(NonbondedForce::Particle const& particle)
        : half_sigma(particle.sigma / 2),
          root(2 * std::sqrt(particle.epsilon)),
          dispersion_charge(trotter::dispersion_charge(particle)) {}
};

/// Returns the dispersion correction times the volume [kJ/mol nm³], for Lennard-Jones beyond the cutoff and in the
/// switching range: 8 pi N² (<ε σ^12> J(12) - <ε σ^6> J(6)) with J(n) = ∫ (1 - S) r^(2-n) dr (M. P. Allen and D. J.
/// Tildesley, Computer Simulation of Liquids, 2.8). Uses the default values of global parameters; 0 if the correction
/// does not apply.
double dispersion_coefficient(NonbondedForce const& force);

/// Coulomb and Lennard-Jones of all pairs within the cutoff that have no exception, minus the reciprocal-space part.
/// Refers to data of the force's kernel.
struct NonbondedPairs {
    NonbondedForce const& force;  ///< method and cutoff; outlives this object
    std::vector<NonbondedForce::Particle> const& particles;  ///< for the current global parameters
    UsedMeshes meshes{};  ///< reciprocal-space sums that complement the pairs

    /// Potentials of pairs within the cutoff.
    DirectSpace space() const { return direct_space(force, meshes); }
    double cutoff() const { return force.uses_cutoff() ? force.cutoff_distance : 0; }  ///< 0: all pairs [nm]
};

/// The loop over these pairs on an engine; each backend specializes it: a constructor `(NonbondedPairs const&,
/// EngineType&, Registration)`, `compute(engine, request)` as in a kernel, `update(engine)` for changed particle
/// parameters, and `late_energy(engine)` if the energy is known only at the end of an evaluation.
template <class EngineType> class NonbondedPairLoop;

}  // namespace trotter
