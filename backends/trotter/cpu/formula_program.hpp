// A formula of stages as a sweep over pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/cpu/sweep_program.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/forces/custom_gb_formulas.hpp>

namespace trotter::cpu {

/// Where the numbers of a particle stand among its parameters: those of the force, values, weights of values. `Arch`,
/// here and below, keeps symbols of different instruction sets apart.
template <class Arch> struct GBColumns {
    int parameters, values;

    int of(GBFormula::Argument const& argument) const {
        using Source = GBFormula::Source;
        return argument.index
               + (argument.source == Source::value    ? parameters
                  : argument.source == Source::weight ? parameters + values
                                                      : 0);
    }
    int count() const { return parameters + 2 * values; }
};

/// Which outputs of a formula are wanted: of `both_orders` the values, or what follows from them; of an energy itself
/// and what follows from it.
template <class Real, class Arch> class FormulaProgram {
    using Source = GBFormula::Source;

public:
    enum class Wants { values, energy, chain };

    /// A sum over the partners of each particle: whose derivative by which value it is.
    struct Plane {
        int value;
    };
    /// A sum over all pairs: the energy, or the derivative by a global parameter.
    struct Total {
        int global;  ///< -1: the energy
    };

    FormulaProgram(GBFormula const& formula, Wants wants, GBColumns<Arch> const& columns, double cutoff)
        : sweeps_(columns.count(), cutoff) {
        auto const unit = formula.expression.unit();
        std::vector<int> outputs;
        auto const output = [&](std::size_t n) {
            outputs.push_back(unit.outputs[n]);
            return static_cast<int>(outputs.size()) - 1;
        };
        auto& sweep = sweeps_.sweep;
        if (wants == Wants::energy) totals_.push_back({-1}), sweeps_.totals.push_back(output(0));
        for (std::size_t n = 0; n < formula.arguments.size(); ++n) {
            auto const& argument = formula.arguments[n];
            auto const number = static_cast<int>(n);
            if (argument.source == Source::distance) sweep.distance = number;
            if (argument.source == Source::global) sweeps_.globals.push_back({number, argument.index});
            if (argument.source != Source::distance && argument.source != Source::global)
                sweeps_.loads.push_back({number, columns.of(argument), argument.is_second});
            if (wants == Wants::values) {
                if (argument.source == Source::weight) sweeps_.sums.push_back({output(n + 1), 0, argument.is_second});
                continue;
            }
            if (argument.source == Source::distance) sweep.slope = output(n + 1);
            if (argument.source == Source::value)
                sweeps_.sums.push_back({output(n + 1), plane(argument.index), argument.is_second});
            if (argument.source == Source::global)
                totals_.push_back({argument.index}), sweeps_.totals.push_back(output(n + 1));
        }
        sweeps_.compile(unit, static_cast<int>(formula.arguments.size()), outputs);
        if (sweep.slope >= 0) sweep.slope = sweeps_.output(sweep.slope);
        for (auto& sum : sweeps_.sums) sum.register_number = sweeps_.output(sum.register_number);
        for (int& total : sweeps_.totals) total = sweeps_.output(total);
        sweeps_.make_code();
    }

    std::vector<Plane> const& planes() const { return planes_; }
    std::vector<Total> const& totals() const { return totals_; }
    SweepProgram<Real, Arch> const& sweeps() const { return sweeps_; }

private:
    int plane(int value) {
        for (std::size_t n = 0; n < planes_.size(); ++n)
            if (planes_[n].value == value) return static_cast<int>(n);
        planes_.push_back({value});
        return static_cast<int>(planes_.size()) - 1;
    }

    SweepProgram<Real, Arch> sweeps_;
    std::vector<Plane> planes_;
    std::vector<Total> totals_;
};

}  // namespace trotter::cpu
