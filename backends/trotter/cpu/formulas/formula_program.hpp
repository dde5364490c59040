// A formula of a custom generalized Born model as a pass over pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/cpu/formulas/pair_kernel_program.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/physics/custom_gb_formulas.hpp>

namespace trotter::cpu {

/// Columns of per-particle data: parameters of the force, values, weights of values. `Arch`, here and below, keeps
/// symbols of different instruction sets apart.
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

/// A pair formula's program. Wanted outputs: of `both_orders`, the values or the chain rule through them; of an energy,
/// itself and its derivatives.
template <class Real, class Arch> class FormulaProgram {
    using Source = GBFormula::Source;

public:
    enum class Wants { values, energy, chain };

    /// A per-particle sum over partners: the derivative by this value.
    struct Plane {
        int value;
    };
    /// A sum over all pairs: the energy, or the derivative by a global parameter.
    struct Total {
        int global;  ///< -1: the energy
    };

    FormulaProgram(GBFormula const& formula, Wants wants, GBColumns<Arch> const& columns, double cutoff)
        : kernel_(columns.count(), cutoff) {
        auto const unit = formula.expression.unit();
        std::vector<int> outputs;
        auto const output = [&](std::size_t n) {
            outputs.push_back(unit.outputs[n]);
            return static_cast<int>(outputs.size()) - 1;
        };
        auto& kernel = kernel_.kernel;
        if (wants == Wants::energy) totals_.push_back({-1}), kernel_.totals.push_back(output(0));
        for (std::size_t n = 0; n < formula.arguments.size(); ++n) {
            auto const& argument = formula.arguments[n];
            auto const number = static_cast<int>(n);
            if (argument.source == Source::distance) kernel.distance = number;
            if (argument.source == Source::global) kernel_.globals.push_back({number, argument.index});
            if (argument.source != Source::distance && argument.source != Source::global)
                kernel_.loads.push_back({number, columns.of(argument), argument.is_second});
            if (wants == Wants::values) {
                if (argument.source == Source::weight) kernel_.sums.push_back({output(n + 1), 0, argument.is_second});
                continue;
            }
            if (argument.source == Source::distance) kernel.slope = output(n + 1);
            if (argument.source == Source::value)
                kernel_.sums.push_back({output(n + 1), plane(argument.index), argument.is_second});
            if (argument.source == Source::global)
                totals_.push_back({argument.index}), kernel_.totals.push_back(output(n + 1));
        }
        kernel_.compile(unit, static_cast<int>(formula.arguments.size()), outputs);
        if (kernel.slope >= 0) kernel.slope = kernel_.output(kernel.slope);
        for (auto& sum : kernel_.sums) sum.register_number = kernel_.output(sum.register_number);
        for (int& total : kernel_.totals) total = kernel_.output(total);
        kernel_.make_code();
    }

    std::vector<Plane> const& planes() const { return planes_; }
    std::vector<Total> const& totals() const { return totals_; }
    PairKernelProgram<Real, Arch> const& kernel() const { return kernel_; }

private:
    int plane(int value) {
        for (std::size_t n = 0; n < planes_.size(); ++n)
            if (planes_[n].value == value) return static_cast<int>(n);
        planes_.push_back({value});
        return static_cast<int>(planes_.size()) - 1;
    }

    PairKernelProgram<Real, Arch> kernel_;
    std::vector<Plane> planes_;
    std::vector<Total> totals_;
};

}  // namespace trotter::cpu
