// CustomCentroidBondForce on devices: bonded terms between centroids of particle groups.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/forces/centroid_bonds.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/forces/custom_centroid_bond.hpp>
#include <trotter/registration.hpp>

namespace trotter {

template <DeviceBackend B, Precision P> struct Kernel<CustomCentroidBondForce, B, P> {
public:
    Kernel(CustomCentroidBondForce const& force, Engine<B, P>& engine, Registration who)
        : force_(force), bonds_(force.between_centroids()), index_(who.index) {
        Centroids const centroids(force.groups, engine.host.particles.masses);
        number_ = engine.device.terms.add(bonds_, engine.device, who, &centroids);
    }

    double compute(Engine<B, P>&, Request const&) { return 0; }
    double late_energy(Engine<B, P>& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return 0;
        return engine.late_energy(TermsOfBonds{bonds_, number_}, request);
    }

    /// Updates parameters of bonds and tables.
    void update(CustomCentroidBondForce const& force, Engine<B, P>& engine) {
        auto const bonds = force.between_centroids();
        check_same_groups(force_, force);
        check_same_terms(bonds_, bonds);
        check_term_numbers(bonds);
        engine.device.terms.update(number_, bonds_ = bonds, engine.device);
        force_ = force;
    }

private:
    using TermsOfBonds = typename Engine<B, P>::template TermsOf<CustomCompoundBondForce>;

    CustomCentroidBondForce force_;
    CustomCompoundBondForce bonds_;
    int index_, number_ = 0;
};

}  // namespace trotter
