// Charges on a mesh of their own, as a part of a force on the Cpu backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/cpu/neighbors.hpp>
#include <trotter/cpu/pme.hpp>
#include <trotter/error.hpp>
#include <trotter/forces/mesh_sizes.hpp>
#include <trotter/forces/reciprocal_charges.hpp>
#include <trotter/host/engine.hpp>
#include <trotter/host/excluded_pairs.hpp>
#include <trotter/registration.hpp>

namespace trotter::cpu {

/// Particle mesh Ewald of these charges, and what it has of excluded pairs. Spreading wants particles sorted by where
/// they are: a list of pairs that reaches nowhere does so.
template <class Arch, class Real> class ReciprocalSum {
public:
    ReciprocalSum(ReciprocalCharges const& charges, HostEngine const& host, Registration who)
        : charges_(checked(charges, host)),
          constant_(reciprocal_constant(charges)),
          who_(who),
          places_(shortest_reach, true, {std::vector<std::vector<int>>(host.size()), false, false}, exact_lists<Arch>),
          mesh_(charges.mesh(), charges.kind, places_.largest_displacement()) {}

    double compute(HostEngine& host, Request const& request) {
        double energy = 0;
        if (request.wants(who_.index, charges_.force_group)) energy += add_sum(host, request.energy);
        if (request.wants(who_.index, charges_.direct_force_group))
            energy += take_out_pairs(charges_, charges_.exclusions, host);
        return energy;
    }
    /// Throws InputError where more than the charges has changed.
    void update(ReciprocalCharges const& charges, HostEngine const& host) {
        check_same_shape(charges_, checked(charges, host));
        charges_ = charges;
        constant_ = reciprocal_constant(charges);
        are_placed_ = false;
    }

    template <class Archive> void save(Archive& archive) const { places_.save(archive); }
    template <class Archive> void load(Archive& archive) {
        places_.load(archive);
        are_placed_ = false;
    }

private:
    static constexpr double shortest_reach = 1e-3;  // [nm]

    static ReciprocalCharges const& checked(ReciprocalCharges const& charges, HostEngine const& host) {
        check(charges, host.particles.count(), memory_of_machine());
        return charges;
    }
    double add_sum(HostEngine& host, bool with_energy) {
        if (places_.update(host.positions, host.box, host.threads) || !are_placed_) place(host.threads);
        double const energy = mesh_.compute(places_.clusters, forces_, MeshForces::put, with_energy, host.threads);
        places_.add_forces(host.forces, host.threads, false, forces_.data());
        return with_energy ? energy + constant_.energy(host.box.volume()) : 0;
    }
    /// After particles were sorted or have other charges.
    void place(Threads& threads) {
        std::size_t const places = places_.clusters.particles.size();
        forces_.resize(record_size * places);
        mesh_.charges.assign(places, Real(0));
        places_.clusters.for_each_place(threads, [&](std::size_t place, int particle) {
            if (particle >= 0)
                mesh_.charges[place] = static_cast<Real>(charges_.charges[static_cast<std::size_t>(particle)]);
        });
        are_placed_ = true;
    }

    ReciprocalCharges charges_;
    ReciprocalConstant constant_;
    Registration who_;
    Neighbors<Arch, Real> places_;
    Pme<Arch, Real> mesh_;
    Aligned<Real> forces_;  // of each place
    bool are_placed_ = false;
};

}  // namespace trotter::cpu
