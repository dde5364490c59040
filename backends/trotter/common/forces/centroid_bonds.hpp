// CustomCentroidBondForce: bonds between centroids of groups of particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include <trotter/common/forces/function_images.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/core/term_energy.hpp>
#include <trotter/forces/custom_centroid_bond.hpp>
#include <trotter/kernel.hpp>
#include <trotter/parts/terms/term_value.hpp>
#include <trotter/parts/terms/terms_check.hpp>
#include <trotter/parts/terms/tuple_geometry.hpp>

namespace trotter {

/// Computes centroids, evaluates the bonds, and distributes the forces to the particles: in double in every precision.
/// The few bonds are done serially, the groups, which may be large, in parallel.
template <HostBackend B, Precision P> class Kernel<CustomCentroidBondForce, B, P> {
public:
    Kernel(CustomCentroidBondForce const& force, Engine<B, P>& engine, Registration who)
        : force_(force),
          bonds_(force.between_centroids()),
          centroids_(force.groups, engine.host.particles.masses),
          index_(who.index),
          formula_(checked_formula(bonds_, static_cast<int>(centroids_.count()))),
          wanted_(wanted_derivatives(bonds_, formula_)),
          members_of_(engine.host.size()) {
        declare_parameters(bonds_, engine.host.parameters, engine.host.parameter_derivatives);
        for (std::size_t group = 0; group < centroids_.count(); ++group)
            centroids_.for_each_member(group, [&](std::size_t particle, double weight) {
                members_of_[particle].push_back({group, weight});
            });
    }

    double compute(Engine<B, P>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, force_.force_group)) return 0;
        find_centroids(host);
        double const energy = compute_bonds(host, request);
        host.threads.for_each(host.size(), [&](std::size_t i) {
            for (auto const& [group, weight] : members_of_[i]) host.forces[i] += forces_[group] * weight;
        });
        return energy;
    }

    /// Updates parameters of bonds, and tables.
    void update(CustomCentroidBondForce const& force, Engine<B, P>&) {
        auto const bonds = force.between_centroids();
        check_same_groups(force_, force);
        check_same_terms(bonds_, bonds);
        formula_ = checked_formula(bonds, static_cast<int>(centroids_.count()));
        bonds_ = bonds;
        force_ = force;
    }

    /// Energy of each bond, with its groups.
    std::vector<TermEnergy> term_energies(Engine<B, P>& engine) {
        find_centroids(engine.host);
        std::vector<TermEnergy> result;
        for_each_bond(engine.host, parameters(engine.host), [&](auto const& bond, auto const& value) {
            result.push_back({bond.particles, value.energy});
        });
        return result;
    }

private:
    struct Membership {
        std::size_t group;
        double weight;
    };
    void find_centroids(HostState& host) {
        at_.resize(centroids_.count());
        host.threads.run(static_cast<int>(at_.size()), [&](int n) {
            auto const group = static_cast<std::size_t>(n);
            Vec3<> sum;
            centroids_.for_each_member(
                group, [&](std::size_t particle, double weight) { sum += host.positions[particle] * weight; });
            at_[group] = sum;
        });
    }
    /// Calls `visit(bond, value)`.
    template <class Visit>
    void for_each_bond(HostState& host, std::vector<double> const& parameters, Visit const& visit) const {
        TermEvaluator<CustomCompoundBondForce, double> evaluate(formula_);
        std::optional<FunctionImages<CustomCompoundBondForce>> images;
        if (host.box_virial) images.emplace(formula_, parameters);
        for (auto const& bond : bonds_.bonds) {
            TupleGeometry<std::vector<int>> const geometry{bond.particles, at_, host.box, bonds_.periodic};
            visit(bond, evaluate(geometry, bond.parameters, parameters));
            if (images) *host.box_virial += (*images)(geometry, bond.parameters);
        }
    }
    std::vector<double> parameters(HostState const& host) const {
        return parameter_values<CustomCompoundBondForce>(formula_, host.parameters);
    }
    double compute_bonds(HostState& host, Request const& request) {
        forces_.assign(centroids_.count(), {});
        double energy = 0;
        for_each_bond(host, parameters(host), [&](auto const& bond, auto const& value) {
            energy += value.energy;
            for (std::size_t p = 0; p < bond.particles.size(); ++p)
                forces_[static_cast<std::size_t>(bond.particles[p])] -= value.gradient[p];
            for (std::size_t n = 0; request.parameter_derivatives && n < wanted_.size(); ++n)
                if (wanted_[n]) host.parameter_derivatives[formula_.parameter_names()[n]] += value.parameter_slopes[n];
        });
        return energy;
    }

    CustomCentroidBondForce force_;
    CustomCompoundBondForce bonds_;  // their particles are group indices
    Centroids centroids_;
    int index_;
    RuntimeFormula formula_;
    std::vector<bool> wanted_;
    std::vector<std::vector<Membership>> members_of_;  // by particle
    std::vector<Vec3<>> at_, forces_;                  // by group
};

}  // namespace trotter
