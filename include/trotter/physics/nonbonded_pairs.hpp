// Pair interactions of a NonbondedForce, as passed to backends.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/forces/nonbonded.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace trotter {

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
