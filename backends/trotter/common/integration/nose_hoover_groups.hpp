// Particles and degrees of freedom of each Nosé-Hoover thermostat, and its action on them.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/common/integration/nose_hoover_chain.hpp>
#include <trotter/integrators/nose_hoover.hpp>

namespace trotter {

/// A thermostat: a chain for single particles and centres of mass of pairs, and one for the relative motion of pairs.
struct NoseHooverGroup {
    using Pair = NoseHooverIntegrator::Chain::Pair;

    std::vector<int> particles;
    std::vector<Pair> pairs;
    NoseHooverChain chain, relative_chain;

    std::vector<NoseHooverChain*> chains() {
        return pairs.empty() ? std::vector{&chain} : std::vector{&chain, &relative_chain};
    }
    std::vector<NoseHooverChain const*> chains() const {
        return pairs.empty() ? std::vector{&chain} : std::vector{&chain, &relative_chain};
    }
    double energy() const { return chain.energy() + (pairs.empty() ? 0 : relative_chain.energy()); }

    /// Both chains use the initial kinetic energies.
    void scale_velocities(HostState& host, double dt);

    /// Reflects pairs at a hard wall, with the mean speed of their relative temperature (as in Drude models: J.
    /// Chowdhary et al., J. Phys. Chem. B 117, 9142 (2013)).
    void keep_pairs_within(HostState& host, double limit, double dt) const;
};

/// A chain without particles and pairs acts on all massive particles. Constraints remove degrees of freedom from the
/// chain of their particles; removal of centre-of-mass motion takes three from the largest chain.
std::vector<NoseHooverGroup> make_nose_hoover_groups(NoseHooverIntegrator const& integrator, HostState const& host);

}  // namespace trotter
