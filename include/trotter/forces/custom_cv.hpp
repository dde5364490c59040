// An energy by a formula of collective variables, each the energy of another force.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/expression/runtime_statement.hpp>
#include <trotter/field.hpp>
#include <trotter/indirect.hpp>
#include <trotter/molecules.hpp>
#include <trotter/system.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

/// The energy is a formula of collective variables, of tabulated functions, and of parameters of the Context. A
/// variable is the energy of a force that acts through the formula alone: its own force group says nothing, and its
/// virtual sites and constraints are those of the System. There may be any number of variables, and containers among
/// them. `Inner` is a `System<List>` or a struct derived from one that is declared before the list and defined behind
/// it; of its members only the forces count.
///
/// The parameters that the inner forces declare are parameters of the Context. Derivatives by a parameter are those of
/// the formula, where `energy_parameter_derivatives` names it, and those that an inner force computes times the
/// formula's derivative by that variable. A Context throws InputError for names that are no use, and for inner forces
/// that make no sense.
template <class Inner> struct BasicCustomCVForce {
    static constexpr std::string_view name = "CustomCVForce";
    static constexpr bool is_all_members = true;
    using Answer = std::vector<double>;  ///< of `Context::ask`: the values of the variables

    RuntimeExpression energy{};                            ///< [kJ/mol], made by `formula`
    std::vector<TabulatedFunction> tabulated_functions{};  ///< that the formula may call
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    std::vector<std::string> variable_names{};
    Indirect<Inner> variables{};  ///< the force behind each name
    int force_group = 0;
    std::string label{name};

    /// Throws ExpressionError.
    static RuntimeExpression formula(std::string text, std::vector<TabulatedFunction> const& tables = {}) {
        return {std::move(text), AnyName{}, formula_functions(tables)};
    }
    template <class F> void add_variable(std::string variable, F force) {
        variable_names.push_back(std::move(variable));
        variables->add(std::move(force));
    }

    bool is_periodic() const { return trotter::is_periodic(*variables); }
    template <class Connect> void for_each_connection(Connect const& connect) const {
        trotter::for_each_connection(*variables, connect);
    }
};

}  // namespace trotter
