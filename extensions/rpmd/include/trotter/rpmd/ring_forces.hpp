// Forces on all copies of a ring polymer, some of them from contracted rings.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <trotter/rpmd/copies.hpp>
#include <trotter/rpmd/matrix.hpp>
#include <trotter/rpmd/rpmd_integrator.hpp>

namespace trotter::rpmd {

/// Force groups by the number of copies on which they are evaluated. Groups from 0 to 31 always have an entry, others
/// if a force is in them.
template <class SystemType>
std::map<int, std::vector<int>> groups_by_copies(SystemType const& system, RPMDIntegrator const& integrator) {
    std::set<int> groups;
    for (int group = 0; group < 32; ++group) groups.insert(group);
    system.for_each_force([&](int, auto const& force) {
        groups.insert(force.force_group);
        if constexpr (requires { force.reciprocal_force_group; }) groups.insert(force.reciprocal_force_group);
    });
    std::map<int, std::vector<int>> result;
    for (int const group : groups) {
        if (!integrator.force_groups.contains(group)) continue;
        auto const found = integrator.contractions.find(group);
        result[found == integrator.contractions.end() ? integrator.copies : found->second].push_back(group);
    }
    return result;
}

/// The potential energy as a function of the positions of all copies, and its negative gradient.
template <class SystemType, Backend B, Precision P> class RingForces {
public:
    RingForces(SystemType const& system, RPMDIntegrator const& integrator, B const& backend, std::uint64_t seed)
        : copies_(integrator.copies),
          particles_(static_cast<std::size_t>(system.particle_count())),
          full_(system, integrator.step_size, backend, integrator.copies, seed),
          all_particles_(particles_) {
        std::iota(all_particles_.begin(), all_particles_.end(), 0);
        auto groups = groups_by_copies(system, integrator);
        full_groups_ = integrator.force_groups;
        if (groups.size() > 1 || !groups.contains(copies_)) full_groups_ = ForceGroups::only(groups[copies_]);
        groups.erase(copies_);
        for (auto const& [copies, contracted] : groups)
            contracted_.emplace_back(system, integrator, backend, copies, ForceGroups::only(contracted), seed);
    }

    /// Places virtual sites in `positions`. Writes forces; returns the energy, 0 unless requested: of all copies, where
    /// energies of contracted rings count `copies / contracted` times.
    double evaluate(CopyVectors& positions, std::int64_t step, bool wants_energy, CopyVectors& forces,
                    Threads& threads) {
        double energy = full_.evaluate(positions, step, {full_groups_, wants_energy}, forces);
        for (auto& ring : contracted_) {
            multiply(ring.contract, positions, ring.positions, particles_, all_particles_, threads);
            double const own = ring.copies.evaluate(ring.positions, step, {ring.groups, wants_energy}, ring.forces);
            energy += own * (static_cast<double>(copies_) / static_cast<double>(ring.contract.rows));
            multiply(ring.spread, ring.forces, forces, particles_, all_particles_, threads, true);
        }
        return energy;
    }
    /// Energy of these groups in all copies, without contraction [kJ/mol].
    double energy_of_copies(CopyVectors& positions, std::int64_t step, ForceGroups const& groups, CopyVectors& forces) {
        return full_.evaluate(positions, step, {groups, true}, forces);
    }

    /// Places virtual sites in `positions`.
    void place_sites(CopyVectors& positions) { full_.place_sites(positions); }

    /// Whether one Context evaluates all forces.
    bool are_in_one_context() const { return full_.is_batch() && contracted_.empty(); }
    /// Force groups that are evaluated on all copies.
    ForceGroups const& full_groups() const { return full_groups_; }

    /// Box, parameters and threads.
    decltype(auto) host() { return full_.host(); }
    /// Of all copies.
    void set_box(Box const& box) {
        for_each_context([&](auto& context) { context.set_box(box); });
    }
    /// Updates the parameters of a force in all copies. Throws as `Context::update` does.
    template <Force F> void update(int index, F const& force) {
        full_.update(index, force, particles_);
        for (auto& ring : contracted_) ring.copies.update(index, force, particles_);
    }
    /// Calls `visit(context)` for each Context.
    template <class Visit> void for_each_context(Visit const& visit) {
        full_.for_each_context(visit);
        for (auto& ring : contracted_) ring.copies.for_each_context(visit);
    }

private:
    struct Contracted {
        Contracted(SystemType const& system, RPMDIntegrator const& integrator, B const& backend, int count,
                   ForceGroups own_groups, std::uint64_t seed)
            : groups(std::move(own_groups)),
              contract(contraction(integrator.copies, count)),
              spread(contract.transposed(static_cast<double>(integrator.copies) / count)),
              copies(system, integrator.step_size, backend, count, seed),
              positions(static_cast<std::size_t>(count) * static_cast<std::size_t>(system.particle_count())),
              forces(positions.size()) {}

        ForceGroups groups;
        Matrix contract, spread;
        Copies<SystemType, B, P> copies;
        CopyVectors positions, forces;
    };

    int copies_;
    std::size_t particles_;
    Copies<SystemType, B, P> full_;
    ForceGroups full_groups_;
    std::deque<Contracted> contracted_;
    std::vector<int> all_particles_;
};

}  // namespace trotter::rpmd
