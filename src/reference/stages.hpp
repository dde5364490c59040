// Staged forces on Reference, formula by formula and pair by pair.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <trotter/common/forces/stages.hpp>
#include <trotter/reference/neighbors.hpp>
#include <trotter/reference/stages.hpp>

#include "define_kernel.hpp"

namespace trotter::reference {

/// Variables of the formulas, and the derivatives of the energy by them.
struct StageNumbers {
    std::vector<std::vector<double>> values, by_value;  ///< indexed by value and particle
    std::vector<double> globals, by_global;
};

/// Value of a formula, and minus its derivative by r times that of the energy by it, over r.
struct ValueAndForce { double value, force_over_r; };

/// Base of formulas known at compile time.
struct OfPairs {
    static bool is_of_pairs() { return true; }
    static bool sees_excluded() { return true; }
};
struct OfParticles : OfPairs {
    static bool is_of_pairs() { return false; }
};

/// `Formulas` are those of a force, of pairs or of single particles (then i = j). A value has `value(i, j, r, …)`; each
/// has `pass_on(by_result, i, j, r, …)`, which propagates the derivative of the energy by it to its arguments.
template <class F, class Formulas> class Stages {
public:
    Stages(F const& force, Engine<Reference, Double>& engine, Registration who)
        : index_(who.index), system_box_(engine.host.box) {
        take(checked_stages(force, engine.host));
        if constexpr (requires { force.pairs.exclusions; })
            exclusions_ = excluded_partners(force.pairs, force.particles.size());
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        if (!request.wants(index_, force_.force_group)) return 0;
        begin(engine.host);
        double const energy = evaluate_stages(*this, engine.host);
        if (request.parameter_derivatives) give_parameter_derivatives(force_, numbers_.by_global, engine.host);
        return energy;
    }

    /// Updates per-particle parameters and tables.
    void update(F const& force, Engine<Reference, Double>& engine) {
        check(force, engine.host.particles.count(), system_box_);
        check_same(force_, force);
        take(force);
    }

    std::size_t value_count() const { return formulas_->value_count(); }
    void find_values(std::size_t k, HostState const& host) {
        auto& values = numbers_.values[k];
        formulas_->visit_value(k, [&](auto&& formula) {
            if (formula.is_of_pairs())
                for_each_pair(formula, host, [&](std::size_t i, std::size_t j, Vec3<> const&, double r) {
                    values[i] += formula.value(i, j, r, numbers_, host);
                    values[j] += formula.value(j, i, r, numbers_, host);
                });
            else
                for (std::size_t i = 0; i < values.size(); ++i) values[i] = formula.value(i, i, 0, numbers_, host);
        });
    }
    double add_energies(HostState& host) {
        double energy = 0;
        formulas_->for_each_energy([&](auto&& formula) {
            auto const add = [&](std::size_t i, std::size_t j, double r) {
                auto const [value, force_over_r] = formula.pass_on(1, i, j, r, numbers_, host);
                energy += value;
                return force_over_r;
            };
            if (formula.is_of_pairs())
                for_each_pair(formula, host, [&](std::size_t i, std::size_t j, Vec3<> const& d, double r) {
                    add_force(host, i, j, d * add(i, j, r), d);
                });
            else
                for (std::size_t i = 0; i < host.size(); ++i) add(i, i, 0);
        });
        return energy;
    }
    void pass_on(std::size_t k, HostState& host) {
        auto const& by_value = numbers_.by_value[k];
        formulas_->visit_value(k, [&](auto&& formula) {
            auto const pass = [&](std::size_t i, std::size_t j, double r) {
                return formula.pass_on(by_value[i], i, j, r, numbers_, host).force_over_r;
            };
            if (formula.is_of_pairs())
                for_each_pair(formula, host, [&](std::size_t i, std::size_t j, Vec3<> const& d, double r) {
                    add_force(host, i, j, d * (pass(i, j, r) + pass(j, i, r)), d);
                });
            else
                for (std::size_t i = 0; i < host.size(); ++i) pass(i, i, 0);
        });
    }

private:
    void take(F const& force) {
        force_ = force;
        formulas_.emplace(force_);
    }
    void begin(HostState const& host) {
        numbers_.values.assign(value_count(), std::vector<double>(host.size()));
        numbers_.by_value = numbers_.values;
        numbers_.globals.clear();
        for (auto const& parameter : detail::declared_parameters(force_))
            numbers_.globals.push_back(host.parameters.value(parameter.name));
        numbers_.by_global.assign(numbers_.globals.size(), 0);
    }
    /// Calls `visit(i, j, d, r)` for each pair of the formula.
    template <class Formula, class Visit>
    void for_each_pair(Formula const& formula, HostState const& host, Visit const& visit) const {
        auto const& pairs = settings_of_pairs(force_);
        auto const cutoff = pairs.uses_cutoff() ? std::optional(pairs.cutoff_distance) : std::nullopt;
        auto const is_excluded = [&](std::size_t i, std::size_t j) {
            return !exclusions_.empty()
                   && std::binary_search(exclusions_[i].begin(), exclusions_[i].end(), static_cast<int>(j));
        };
        reference::for_each_pair({cutoff, pairs.is_periodic()}, host.positions, host.box,
                                 [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
                                     if (formula.sees_excluded() || !is_excluded(i, j)) visit(i, j, d, std::sqrt(r2));
                                 });
    }

    int index_;
    Box system_box_;
    F force_;
    std::optional<Formulas> formulas_;  // refers to force_
    std::vector<std::vector<int>> exclusions_;
    StageNumbers numbers_;
};

}  // namespace trotter::reference
