// An energy as a formula of variables computed by a kernel and of global parameters.
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

/// Stores the slopes of the last evaluation. Has scratch space: not thread-safe.
class ContextFormula {
public:
    /// `what` is the term for the variables in messages. Throws InputError for a name that is neither a variable nor a
    /// global parameter, for ambiguous names, for derivatives by unknown parameters, and for invalid tables.
    template <class F> ContextFormula(F const& force, std::vector<std::string> variables, std::string_view what)
        : ContextFormula(force.energy, std::move(variables), what, force.global_parameters,
                         force.energy_parameter_derivatives, tabulated_functions_of(force)) {}

    /// Declares parameters and requested derivatives to the Context.
    void declare(HostState& host) const;
    /// Throws InputError unless this formula has the parameters of `other`.
    void check_same_parameters(ContextFormula const& other) const;

    /// Returns the energy; `variables` are in the order of the constructor.
    double operator()(std::vector<double> const& variables, GlobalParameters const& parameters);
    double slope(std::size_t variable) const { return slopes_[variable]; }
    /// Adds the requested derivatives by parameters.
    void add_derivatives(std::map<std::string, double>& to) const;

private:
    ContextFormula(RuntimeExpression const& formula, std::vector<std::string> variables, std::string_view what,
                   std::vector<GlobalParameter> const& parameters, std::vector<std::string> const& wanted,
                   std::vector<TabulatedFunction> const& tables);

    std::vector<GlobalParameter> parameters_;
    std::vector<std::string> wanted_;  ///< parameters of requested derivatives
    std::vector<std::string> names_;   ///< in the formula
    std::size_t variables_;
    std::vector<std::size_t> source_;  ///< per name: index into variables, then parameters
    Tables tables_;
    Evaluator<double> evaluate_;
    std::vector<double> arguments_, slopes_of_names_, slopes_;  ///< slopes_: by variables, then parameters
};

}  // namespace trotter
