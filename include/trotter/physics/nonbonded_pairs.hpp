// The pairs of a NonbondedForce, as backends take them.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/forces/nonbonded.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace trotter {

/// Coulomb and Lennard-Jones of all pairs within the cutoff that have no exception, less what is on meshes. Refers to
/// what the kernel of the force holds.
struct NonbondedPairs {
    NonbondedForce const& force;  ///< method and cutoff; outlives this object
    std::vector<NonbondedForce::Particle> const& particles;  ///< at the present values of the global parameters
    UsedMeshes meshes{};  ///< reciprocal sums whose energy the pairs lack

    /// Potentials of pairs within the cutoff.
    DirectSpace space() const { return direct_space(force, meshes); }
    double cutoff() const { return force.uses_cutoff() ? force.cutoff_distance : 0; }  ///< 0: all pairs [nm]
};

/// The loop over these pairs on an engine; each backend specializes it: a constructor `(NonbondedPairs const&, EngineType&,
/// Registration)`, `compute(engine, request)` as a kernel has it, `update(engine)` for other numbers of the particles, and
/// `late_energy(engine)` where the energy is known when an evaluation has ended.
template <class EngineType> class NonbondedPairLoop;

}  // namespace trotter
