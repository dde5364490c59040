// Values of particles and energies of these, formula by formula and pair by pair.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/forces/custom_gb_formulas.hpp>
#include <trotter/forces/nonbonded_check.hpp>
#include <trotter/forces/pairs.hpp>
#include <trotter/reference/custom_gb.hpp>
#include <trotter/reference/neighbors.hpp>
#include <trotter/tables/tables.hpp>

#include "define_kernel.hpp"

namespace trotter::reference {

/// The numbers that formulas depend on, and the derivatives of the energy by them.
struct GBNumbers {
    std::vector<std::vector<double>> values, by_value;  ///< of each computed value, for each particle
    std::vector<double> globals, by_global;
};

/// Has scratch space.
class GBEvaluator {
    using Source = GBFormula::Source;

public:
    explicit GBEvaluator(GBFormula formula)
        : formula_(std::move(formula)),
          evaluate_(formula_.expression),
          arguments_(formula_.arguments.size()),
          slopes_(arguments_.size()) {}

    GBFormula const& formula() const { return formula_; }

    /// Of a single particle, i and j are the same.
    double value(std::size_t i, std::size_t j, double r, CustomGBForce const& force, Tables const& tables,
                 GBNumbers const& numbers, std::vector<Vec3<>> const& positions) {
        for (std::size_t n = 0; n < arguments_.size(); ++n) {
            auto const [source, index, is_second] = formula_.arguments[n];
            std::size_t const particle = is_second ? j : i, k = static_cast<std::size_t>(index);
            arguments_[n] = source == Source::distance     ? r
                            : source == Source::coordinate ? positions[particle][k]
                            : source == Source::parameter  ? force.particles[particle][k]
                            : source == Source::value      ? numbers.values[k][particle]
                                                           : numbers.globals[k];
        }
        return evaluate_(arguments_.data(), slopes_.data(), tables);
    }
    /// Passes on the derivative of the energy by the value that was computed last; returns that by the distance.
    double pass_on(double by_result, std::size_t i, std::size_t j, GBNumbers& numbers,
                   std::vector<Vec3<>>& forces) const {
        double by_distance = 0;
        for (std::size_t n = 0; n < slopes_.size(); ++n) {
            auto const [source, index, is_second] = formula_.arguments[n];
            std::size_t const particle = is_second ? j : i, k = static_cast<std::size_t>(index);
            double const by_argument = by_result * slopes_[n];
            if (source == Source::distance) by_distance += by_argument;
            if (source == Source::coordinate) forces[particle][k] -= by_argument;
            if (source == Source::value) numbers.by_value[k][particle] += by_argument;
            if (source == Source::global) numbers.by_global[k] += by_argument;
        }
        return by_distance;
    }

private:
    GBFormula formula_;
    Evaluator<double> evaluate_;
    std::vector<double> arguments_, slopes_;
};

/// Values from the first to the last, energies, and derivatives from the last value to the first: see GBFormulas.
template <> class CompiledKernel<CustomGBForce>::Implementation {
public:
    Implementation(CustomGBForce const& force, Engine<Reference, Double>& engine, Registration who)
        : index_(who.index), system_box_(engine.host.box), force_(force) {
        check(force, engine.host.particles.count(), system_box_);
        GBFormulas const formulas(force);
        for (auto const& formula : formulas.values) values_.emplace_back(formula);
        for (auto const& formula : formulas.energies) energies_.emplace_back(formula);
        tables_ = Tables(force.tabulated_functions);
        exclusions_ = excluded_partners(force.pairs, force.particles.size());
        for (auto const& [name, value] : force.global_parameters) engine.host.parameters.declare(name, value);
        for (auto const& name : force.energy_parameter_derivatives) engine.host.parameter_derivatives.emplace(name, 0);
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (!request.wants(index_, force_.force_group)) return 0;
        begin(host);
        for (std::size_t k = 0; k < values_.size(); ++k) find_values(values_[k], numbers_.values[k], host);
        double energy = 0;
        for (auto& formula : energies_) energy += add_energy(formula, host);
        for (std::size_t k = values_.size(); k-- > 0;) pass_on(values_[k], numbers_.by_value[k], host);
        for (std::size_t n = 0; n < force_.global_parameters.size() && request.parameter_derivatives; ++n)
            if (auto const wanted = host.parameter_derivatives.find(force_.global_parameters[n].name);
                wanted != host.parameter_derivatives.end() && wants_derivative(wanted->first))
                wanted->second += numbers_.by_global[n];
        return energy;
    }

    /// Takes over other numbers of the particles, and tables.
    void update(CustomGBForce const& force, Engine<Reference, Double>& engine) {
        check(force, engine.host.particles.count(), system_box_);
        check_same(force_, force);
        force_ = force;
        tables_ = Tables(force.tabulated_functions);
    }

private:
    void begin(HostEngine const& host) {
        std::vector<double> const zeros(host.size());
        numbers_.values.assign(values_.size(), zeros);
        numbers_.by_value.assign(values_.size(), zeros);
        numbers_.globals.clear();
        for (auto const& parameter : force_.global_parameters)
            numbers_.globals.push_back(host.parameters.value(parameter.name));
        numbers_.by_global.assign(numbers_.globals.size(), 0);
    }
    bool wants_derivative(std::string const& name) const {
        auto const& wanted = force_.energy_parameter_derivatives;
        return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    }
    double value(GBEvaluator& evaluate, std::size_t i, std::size_t j, double r, HostEngine const& host) {
        return evaluate.value(i, j, r, force_, tables_, numbers_, host.positions);
    }
    /// Calls `visit(i, j, d, r)` for each pair that the formula is of.
    template <class Visit> void for_each_pair(GBFormula const& formula, HostEngine const& host, Visit const& visit) {
        auto const& pairs = force_.pairs;
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
    void find_values(GBEvaluator& evaluate, std::vector<double>& values, HostEngine const& host) {
        if (!evaluate.formula().is_of_pairs()) {
            for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(evaluate, i, i, 0, host);
            return;
        }
        for_each_pair(evaluate.formula(), host, [&](std::size_t i, std::size_t j, Vec3<> const&, double r) {
            values[i] += value(evaluate, i, j, r, host);
            values[j] += value(evaluate, j, i, r, host);
        });
    }
    /// Adds what follows from the derivative `by_result` of the energy by the value of the formula that was computed
    /// last.
    void add_forces(GBEvaluator const& evaluate, double by_result, std::size_t i, std::size_t j, Vec3<> const& d,
                    double r, HostEngine& host) {
        add_force(host, i, j, d * (-evaluate.pass_on(by_result, i, j, numbers_, host.forces) / r), d);
    }
    double add_energy(GBEvaluator& evaluate, HostEngine& host) {
        double energy = 0;
        if (evaluate.formula().is_of_pairs())
            for_each_pair(evaluate.formula(), host, [&](std::size_t i, std::size_t j, Vec3<> const& d, double r) {
                energy += value(evaluate, i, j, r, host);
                add_forces(evaluate, 1, i, j, d, r, host);
            });
        else
            for (std::size_t i = 0; i < host.size(); ++i) {
                energy += value(evaluate, i, i, 0, host);
                evaluate.pass_on(1, i, i, numbers_, host.forces);
            }
        return energy;
    }
    void pass_on(GBEvaluator& evaluate, std::vector<double> const& by_value, HostEngine& host) {
        if (!evaluate.formula().is_of_pairs()) {
            for (std::size_t i = 0; i < host.size(); ++i) {
                value(evaluate, i, i, 0, host);
                evaluate.pass_on(by_value[i], i, i, numbers_, host.forces);
            }
            return;
        }
        for_each_pair(evaluate.formula(), host, [&](std::size_t i, std::size_t j, Vec3<> const& d, double r) {
            value(evaluate, i, j, r, host);
            add_forces(evaluate, by_value[i], i, j, d, r, host);
            value(evaluate, j, i, r, host);
            add_forces(evaluate, by_value[j], j, i, -d, r, host);
        });
    }

    int index_;
    Box system_box_;
    CustomGBForce force_;
    std::vector<GBEvaluator> values_, energies_;
    Tables tables_;
    std::vector<std::vector<int>> exclusions_;
    GBNumbers numbers_;
};

template class CompiledKernel<CustomGBForce>;

}  // namespace trotter::reference
