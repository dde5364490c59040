// Lennard-Jones and Coulomb interactions, pair by pair.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/forces/nonbonded.hpp>
#include <trotter/reference/compiled_kernel.hpp>
#include <trotter/reference/two_groups.hpp>
#include <trotter/term_energy.hpp>

namespace trotter {

/// See src/reference/nonbonded.cpp.
template <> class Kernel<NonbondedForce, Reference, Double> : public reference::CompiledKernel<NonbondedForce> {
public:
    using CompiledKernel::CompiledKernel;

    /// The parts of the energy that there are, and each exception that is no exclusion, at the parameters of the last
    /// evaluation.
    std::vector<TermEnergy> term_energies(Engine<Reference, Double>& engine);
    /// Of pairs between two groups: within the cutoff, and exceptions; as `term_energies`.
    double interaction_energy(Engine<Reference, Double>& engine, reference::TwoGroups const& groups);

    UsedMeshes meshes() const;
};

}  // namespace trotter
