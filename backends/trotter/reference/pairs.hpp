// Pair forces given by formulas, on Reference.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <trotter/common/forces/box_virial.hpp>
#include <trotter/common/forces/long_range_correction.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/parts/pairs/pairs_check.hpp>
#include <trotter/physics/pair_energies.hpp>
#include <trotter/reference/neighbors.hpp>
#include <trotter/registration.hpp>

namespace trotter::reference {

/// The pairs of one force, evaluated serially.
template <HasPairs F> class Pairs {
public:
    Pairs(F const& force, HostState& host, Registration who)
        : force_(checked(force, host)),
          index_(who.index),
          system_box_(host.box),
          evaluate_(force.energy),
          tables_(tabulated_functions_of(force)),
          exclusions_(excluded_partners(force.pairs, host.size())) {
        declare_parameters(force, host.parameters, host.parameter_derivatives);
        auto const own = particle_names(force);
        auto const globals = global_names(force.energy.names(), own);
        for (std::string_view const name : force.energy.names()) roles_.push_back(pair_roles(globals, own)(name));
        global_names_.assign(globals.begin(), globals.end());
        wanted_ = wanted_pair_derivatives(force, globals);
        numbers_ = particle_numbers(force);
        long_range_correction_.emplace(force, host);
    }

    void update(F const& force, HostState const& host) {
        check_pairs(force, host.particles.count(), system_box_);
        check_same_pairs(force_, force);
        force_ = force;
        tables_ = Tables(tabulated_functions_of(force));
        numbers_ = particle_numbers(force);
        long_range_correction_->update_particles(force);
    }

    double compute(HostState& host, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return 0;
        auto const globals = values_of(global_names_, host.parameters);
        std::vector<double> by_global(globals.size());
        double energy = 0;
        for_each_pair_in_range(host, [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
            auto const value = pair(i, j, std::sqrt(r2), globals, by_global);
            energy += value.energy;
            add_force(host, i, j, d * (value.virial / r2), d);
        });
        if (request.parameter_derivatives)
            for (int const n : wanted_)
                host.parameter_derivatives[global_names_[static_cast<std::size_t>(n)]] +=
                    by_global[static_cast<std::size_t>(n)];
        double const correction = long_range_correction_->energy(host, request);
        add_mean_energy(host, correction);
        return energy + correction;
    }

    /// Energy of the pairs (i, j) for which `counts(i, j)`.
    template <class Counts> double interaction_energy(HostState const& host, Counts const& counts) {
        auto const globals = values_of(global_names_, host.parameters);
        std::vector<double> by_global(globals.size());
        double energy = 0;
        for_each_pair_in_range(host, [&](std::size_t i, std::size_t j, Vec3<> const&, double r2) {
            if (counts(i, j)) energy += pair(i, j, std::sqrt(r2), globals, by_global).energy;
        });
        return energy;
    }

private:
    template <class Visit> void for_each_pair_in_range(HostState const& host, Visit const& visit) const {
        auto const& settings = force_.pairs;
        std::optional<double> const cutoff =
            settings.uses_cutoff() ? std::optional(settings.cutoff_distance) : std::nullopt;
        for_each_pair({cutoff, settings.is_periodic()}, host.positions, host.box,
                      [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
                          if (!is_excluded(i, j)) visit(i, j, d, r2);
                      });
    }
    static F const& checked(F const& force, HostState const& host) {
        check_pairs(force, host.particles.count(), host.box);
        return force;
    }
    bool is_excluded(std::size_t i, std::size_t j) const {
        return !exclusions_.empty()
               && std::binary_search(exclusions_[i].begin(), exclusions_[i].end(), static_cast<int>(j));
    }

    // Adds derivatives by global parameters to `by_global`.
    PairValue<double> pair(std::size_t i, std::size_t j, double r, std::vector<double> const& globals,
                           std::vector<double>& by_global) {
        using expression::Role;
        arguments_.resize(roles_.size());
        slopes_.resize(roles_.size());
        for (std::size_t n = 0; n < roles_.size(); ++n) {
            auto const index = static_cast<std::size_t>(roles_[n].index);
            switch (roles_[n].role) {
                case Role::distance:
                    arguments_[n] = r;
                    break;
                case Role::particle1:
                    arguments_[n] = numbers_[index][i];
                    break;
                case Role::particle2:
                    arguments_[n] = numbers_[index][j];
                    break;
                case Role::global:
                    arguments_[n] = globals[index];
                    break;
            }
        }
        PairValue<double> value{evaluate_(arguments_.data(), slopes_.data(), tables_), 0};
        for (std::size_t n = 0; n < roles_.size(); ++n)
            if (roles_[n].role == Role::distance) value.virial = -r * slopes_[n];
        // A formula with a limit at r = 0 has r dE/dr = 0 there; any other diverges, even log(r), which is finite at
        // the least distance.
        if (r == std::sqrt(least_square<double>()) && std::abs(value.virial) > 1e-6)
            value.energy = std::numeric_limits<double>::infinity();
        double const weight = switch_value(r);
        for (std::size_t n = 0; n < roles_.size(); ++n)
            if (roles_[n].role == Role::global)
                by_global[static_cast<std::size_t>(roles_[n].index)] += weight * slopes_[n];
        return switched_pair(value, r);
    }
    PairValue<double> switched_pair(PairValue<double> const& value, double r) const {
        auto const& settings = force_.pairs;
        if (!settings.is_switched()) return value;
        return switched(value, r, settings.switching_distance,
                        1 / (settings.cutoff_distance - settings.switching_distance));
    }
    double switch_value(double r) const { return switched_pair({1, 0}, r).energy; }

    F force_;
    int index_;
    Box system_box_;
    Evaluator<double> evaluate_;
    Tables tables_;
    std::vector<expression::PairName> roles_;  // one per name in the formula
    std::vector<std::string> global_names_;
    std::vector<int> wanted_;
    std::vector<std::vector<int>> exclusions_;
    std::vector<std::vector<double>> numbers_;
    std::vector<double> arguments_, slopes_;
    std::optional<LongRangeCorrection> long_range_correction_;  // constructed after parameters are declared
};

}  // namespace trotter::reference
