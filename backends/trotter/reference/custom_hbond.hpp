// Donors and acceptors, pair by pair.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include <trotter/forces/custom_hbond.hpp>
#include <trotter/forces/nonbonded_check.hpp>
#include <trotter/reference/engine.hpp>
#include <trotter/reference/geometric_evaluator.hpp>
#include <trotter/reference/neighbors.hpp>

namespace trotter {

template <> class Kernel<CustomHbondForce, Reference, Double> {
public:
    Kernel(CustomHbondForce const& force, Engine<Reference, Double>& engine)
        : index_(engine.host.next_force),
          system_box_(engine.host.box),
          force_(checked(force, engine)),
          evaluate_(force.geometric_formula(), Tables(force.tabulated_functions)) {
        for (auto const& [name, value] : force.global_parameters) engine.host.parameters.declare(name, value);
        collect_exclusions();
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, force_.force_group)) return 0;
        if (force_.is_periodic()) check_present_box(CustomHbondForce::name, force_.cutoff_distance, host.box);
        globals_ = reference::values_of(force_.global_parameters, host.parameters);
        double energy = 0;
        if (force_.uses_cutoff())
            for_each_near_pair(
                host, [&](std::size_t donor, std::size_t acceptor) { energy += add_pair(host, donor, acceptor); });
        else
            for (std::size_t donor = 0; donor < force_.donors.size(); ++donor)
                for (std::size_t acceptor = 0; acceptor < force_.acceptors.size(); ++acceptor)
                    energy += add_pair(host, donor, acceptor);
        return energy;
    }

    /// Takes over everything but the parameters of the Context.
    void update(CustomHbondForce const& force, Engine<Reference, Double>& engine) {
        reference::check_same_globals(force_.global_parameters, checked(force, engine).global_parameters);
        force_ = force;
        evaluate_ = reference::GeometricEvaluator(force.geometric_formula(), Tables(force.tabulated_functions));
        collect_exclusions();
    }

private:
    CustomHbondForce const& checked(CustomHbondForce const& force, Engine<Reference, Double> const& engine) const {
        check(force, engine.host.particles.count(), system_box_);
        return force;
    }
    void collect_exclusions() {
        excluded_.assign(force_.donors.size(), {});
        for (auto const& [donor, acceptor] : force_.exclusions)
            excluded_[static_cast<std::size_t>(donor)].push_back(static_cast<std::size_t>(acceptor));
        for (auto& acceptors : excluded_) std::sort(acceptors.begin(), acceptors.end());
    }

    // The cell list sees the first particles of donors, then those of acceptors. At the cutoff itself a pair is out.
    template <class Visit> void for_each_near_pair(HostEngine const& host, Visit const& visit) const {
        std::vector<Vec3<>> places;
        for (auto const* sites : {&force_.donors, &force_.acceptors})
            for (auto const& site : *sites) places.push_back(host.positions[static_cast<std::size_t>(site.particle1)]);
        auto const donors = force_.donors.size();
        double const cutoff = force_.cutoff_distance;
        reference::for_each_pair({cutoff, force_.is_periodic()}, places, host.box,
                                 [&](std::size_t i, std::size_t j, Vec3<> const&, double r2) {
                                     auto const [low, high] = std::minmax(i, j);
                                     if (low < donors && high >= donors && r2 < cutoff * cutoff)
                                         visit(low, high - donors);
                                 });
    }
    double add_pair(HostEngine& host, std::size_t donor, std::size_t acceptor) {
        auto const& excluded = excluded_[donor];
        if (std::binary_search(excluded.begin(), excluded.end(), acceptor)) return 0;
        particles_.clear();
        parameters_.clear();
        for (auto const* site : {&force_.donors[donor], &force_.acceptors[acceptor]}) {
            particles_.insert(particles_.end(), {site->particle1, site->particle2, site->particle3});
            parameters_.insert(parameters_.end(), site->parameters.begin(), site->parameters.end());
        }
        return evaluate_({particles_, host.positions, host.box, force_.is_periodic()}, parameters_, globals_,
                         host.forces);
    }

    int index_;
    Box system_box_;
    CustomHbondForce force_;
    reference::GeometricEvaluator evaluate_;
    std::vector<std::vector<std::size_t>> excluded_;  // acceptors of each donor, ascending
    std::vector<int> particles_;                      // of a pair
    std::vector<double> parameters_, globals_;
};

}  // namespace trotter
