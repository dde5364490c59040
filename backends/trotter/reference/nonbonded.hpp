// Lennard-Jones and Coulomb pair interactions on Reference.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/common/forces/nonbonded.hpp>
#include <trotter/core/term_energy.hpp>
#include <trotter/physics/nonbonded_parameters.hpp>
#include <trotter/reference/engine.hpp>
#include <trotter/reference/two_groups.hpp>

namespace trotter {

/// Serial pair loop; see src/reference/nonbonded.cpp.
template <> class NonbondedPairLoop<Engine<Reference, Double>> {
public:
    NonbondedPairLoop(NonbondedPairs const& pairs, Engine<Reference, Double>& engine, Registration who);

    double compute(Engine<Reference, Double>& engine, Request const& request);
    void update(Engine<Reference, Double>& engine);

    /// Total Coulomb and Lennard-Jones energies.
    std::vector<TermEnergy> term_energies(HostState& host) const;
    /// Energy of pairs between two groups.
    double interaction_energy(HostState& host, reference::TwoGroups const& groups) const;

private:
    double charge_product(std::size_t i, std::size_t j) const;
    template <class Visit> void for_each_pair(HostState const& host, Visit const& visit) const;

    NonbondedPairs pairs_;
    int index_;
    std::vector<std::vector<int>> exclusions_;
    std::vector<LennardJonesSite> sites_;
};

}  // namespace trotter
