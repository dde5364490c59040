// CustomGBForce: run-time formulas as stages.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <utility>
#include <vector>

#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/physics/custom_gb_formulas.hpp>
#include <trotter/tables/tables.hpp>

#include "stages.hpp"

namespace trotter::reference {

/// A formula with scratch space.
class CustomFormula {
    using Source = GBFormula::Source;

public:
    CustomFormula(GBFormula formula, CustomGBForce const& force, Tables const& tables)
        : force_(force),
          tables_(tables),
          formula_(std::move(formula)),
          evaluate_(formula_.expression),
          arguments_(formula_.arguments.size()),
          slopes_(arguments_.size()) {}

    bool is_of_pairs() const { return formula_.is_of_pairs(); }
    bool sees_excluded() const { return formula_.sees_excluded(); }

    double value(std::size_t i, std::size_t j, double r, StageNumbers const& numbers, HostState const& host) {
        for (std::size_t n = 0; n < arguments_.size(); ++n) {
            auto const [source, index, is_second] = formula_.arguments[n];
            std::size_t const particle = is_second ? j : i, k = static_cast<std::size_t>(index);
            arguments_[n] = source == Source::distance     ? r
                            : source == Source::coordinate ? host.positions[particle][k]
                            : source == Source::parameter  ? force_.particles[particle][k]
                            : source == Source::value      ? numbers.values[k][particle]
                                                           : numbers.globals[k];
        }
        return evaluate_(arguments_.data(), slopes_.data(), tables_);
    }
    ValueAndForce pass_on(double by_result, std::size_t i, std::size_t j, double r, StageNumbers& numbers,
                          HostState& host) {
        ValueAndForce result{value(i, j, r, numbers, host), 0};
        for (std::size_t n = 0; n < slopes_.size(); ++n) {
            auto const [source, index, is_second] = formula_.arguments[n];
            std::size_t const particle = is_second ? j : i, k = static_cast<std::size_t>(index);
            double const by_argument = by_result * slopes_[n];
            if (source == Source::distance) result.force_over_r -= by_argument / r;
            if (source == Source::coordinate) host.forces[particle][k] -= by_argument;
            if (source == Source::value) numbers.by_value[k][particle] += by_argument;
            if (source == Source::global) numbers.by_global[k] += by_argument;
        }
        return result;
    }

private:
    CustomGBForce const& force_;
    Tables const& tables_;
    GBFormula formula_;
    Evaluator<double> evaluate_;
    std::vector<double> arguments_, slopes_;
};

struct CustomFormulas {
    Tables tables;
    std::vector<CustomFormula> values, energies;

    std::size_t value_count() const { return values.size(); }
    template <class Visit> void visit_value(std::size_t k, Visit const& visit) { visit(values[k]); }
    template <class Visit> void for_each_energy(Visit const& visit) {
        for (auto& formula : energies) visit(formula);
    }

    explicit CustomFormulas(CustomGBForce const& force) : tables(force.tabulated_functions) {
        GBFormulas const formulas(force);
        for (auto const& formula : formulas.values) values.emplace_back(formula, force, tables);
        for (auto const& formula : formulas.energies) energies.emplace_back(formula, force, tables);
    }
};

template <> class CompiledKernel<CustomGBForce>::Implementation : public Stages<CustomGBForce, CustomFormulas> {
    using Stages::Stages;
};

template class CompiledKernel<CustomGBForce>;

}  // namespace trotter::reference
