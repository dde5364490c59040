// An energy by a formula of numbers that a kernel finds, and of parameters of the Context.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/base/global_parameters.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter {

/// Knows the energy and its slopes of the last set of numbers. Has scratch space.
class ContextFormula {
public:
    /// `what` is what messages call the variables. Throws InputError for a name that is neither one of them nor a
    /// global parameter, for names that stand for more than one thing, for derivatives by what is no parameter, and for
    /// tables that make no sense.
    template <class F> ContextFormula(F const& force, std::vector<std::string> variables, std::string_view what)
        : ContextFormula(force.energy, std::move(variables), what, force.global_parameters,
                         force.energy_parameter_derivatives, tabulated_functions_of(force)) {}

    /// Declares parameters, and derivatives that are wanted, to the Context.
    void declare(HostState& host) const;
    /// Throws InputError unless this formula has the parameters of `other`.
    void check_same_parameters(ContextFormula const& other) const;

    /// The energy; `variables` are in the order in which they were named.
    double operator()(std::vector<double> const& variables, GlobalParameters const& parameters);
    double slope(std::size_t variable) const { return slopes_[variable]; }
    /// The derivatives by parameters that are wanted.
    void add_derivatives(std::map<std::string, double>& to) const;

private:
    ContextFormula(RuntimeExpression const& formula, std::vector<std::string> variables, std::string_view what,
                   std::vector<GlobalParameter> const& parameters, std::vector<std::string> const& wanted,
                   std::vector<TabulatedFunction> const& tables);

    std::vector<GlobalParameter> parameters_;
    std::vector<std::string> wanted_;  ///< parameters by which derivatives are wanted
    std::vector<std::string> names_;   ///< of the formula
    std::size_t variables_;
    std::vector<std::size_t> source_;  ///< of each name: a variable, or behind them a parameter
    Tables tables_;
    Evaluator<double> evaluate_;
    std::vector<double> arguments_, slopes_of_names_, slopes_;  ///< the last of variables, then parameters
};

}  // namespace trotter
