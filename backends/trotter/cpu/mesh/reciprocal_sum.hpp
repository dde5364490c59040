// Reciprocal-space sums on the Cpu backend: particle mesh or plain Ewald.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/common/forces/excluded_pairs.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/cpu/mesh/ewald_sum.hpp>
#include <trotter/cpu/mesh/pme.hpp>
#include <trotter/cpu/neighbor_list/shared_pairs.hpp>
#include <trotter/parts/mesh/mesh_sizes.hpp>
#include <trotter/parts/mesh/reciprocal_charges.hpp>
#include <trotter/registration.hpp>

namespace trotter::cpu {

/// The reciprocal-space sum of the charges of one force, or of a part of it. Spreading needs spatially sorted
/// particles: those of any periodic pair list, or of one with a negligible cutoff. If the pair loop of the force
/// applies Ewald corrections to excluded pairs, only pairs beyond its range are corrected here.
template <class Arch, class Real> class ReciprocalSum {
public:
    ReciprocalSum(ReciprocalCharges const& charges, HostState const& host, PairLists<Arch, Real>& lists,
                  Registration who)
        : charges_(checked(charges, host)),
          constant_(reciprocal_constant(charges)),
          who_(who),
          list_(lists.screened_by(who.index)),
          is_screened_(list_ != nullptr) {
        if (auto const* const splitting = std::get_if<EwaldSplitting>(&charges.method)) {
            waves_.emplace(*splitting);
            return;
        }
        if (!list_) list_ = &lists.sorted();
        mesh_.emplace(charges.mesh(), charges.kind, list_->largest_displacement());
    }

    ReciprocalCharges const& charges() const { return charges_; }

    double compute(HostState& host, Request const& request) {
        double energy = 0;
        if (request.wants(who_.index, charges_.force_group)) energy += add_sum(host, request.energy);
        if (request.wants(who_.index, charges_.direct_force_group)) energy += subtract_exclusions(host);
        return energy;
    }
    /// Throws InputError if more than the charges has changed.
    void update(ReciprocalCharges const& charges, HostState const& host) {
        check_same_shape(charges_, checked(charges, host));
        set_charges(charges.charges);
    }
    void set_charges(std::vector<double> charges) {
        charges_.charges = std::move(charges);
        constant_ = reciprocal_constant(charges_);
        slot_filling_.invalidate();
    }

private:
    static ReciprocalCharges const& checked(ReciprocalCharges const& charges, HostState const& host) {
        check(charges, host.particles.count(), memory_of_machine());
        return charges;
    }
    double add_sum(HostState& host, bool with_energy) {
        double energy = with_energy ? constant_.energy(host.box.volume()) : 0;
        if (waves_) return energy + waves_->compute(host.positions, charges_.charges, host.box, host.forces, host.threads);
        slot_filling_.run(list_->update(host), [&] { fill_slots(host.threads); });
        return energy + list_->add_mesh(*mesh_, with_energy, host.threads);
    }
    /// Fills slots after particles were sorted or have other charges.
    void fill_slots(Threads& threads) {
        auto const& clusters = list_->clusters();
        mesh_->charges.assign(clusters.particles.size(), Real(0));
        clusters.for_each_slot(threads, [&](std::size_t slot, int particle) {
            if (particle >= 0)
                mesh_->charges[slot] = static_cast<Real>(charges_.charges[static_cast<std::size_t>(particle)]);
        });
    }
    double subtract_exclusions(HostState& host) {
        if (!is_screened_) return subtract_excluded_pairs(charges_, charges_.exclusions, host);
        search_for_far_.run(list_->update(host), [&] { find_far_pairs(); });
        return subtract_excluded_pairs(charges_, far_pairs_, host);
    }
    /// Finds excluded pairs beyond the range of the pair list, or across a face of the box: none as long as molecules
    /// are whole and small.
    void find_far_pairs() {
        far_pairs_.clear();
        for (auto const& pair : charges_.exclusions)
            if (!list_->screens(pair.particle1, pair.particle2)) far_pairs_.push_back(pair);
    }

    ReciprocalCharges charges_;
    ReciprocalConstant constant_;
    Registration who_;
    SharedPairs<Arch, Real>* list_;
    bool is_screened_;  ///< by the pair loop of the force
    std::optional<EwaldSum<Arch>> waves_;
    std::optional<Pme<Arch, Real>> mesh_;
    OncePerSort<Arch> slot_filling_, search_for_far_;
    std::vector<PairSettings::Exclusion> far_pairs_;  ///< that the pair loop does not correct
};

}  // namespace trotter::cpu
