// An energy formula of collective variables, each the energy of another force.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/base/indirect.hpp>
#include <trotter/core/molecules.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/system.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

/// The energy is a formula of collective variables, of tabulated functions, and of Context parameters. A variable is
/// the energy of a force that acts through the formula alone: its force group is ignored; virtual sites and constraints
/// are those of the System. Variables may themselves be containers. `Inner` is a `System<List>` or a struct derived
/// from one, declared before the list and defined after it; only its forces are used.
///
/// Global parameters of the inner forces are Context parameters. The derivative by a parameter is that of the formula,
/// if `energy_parameter_derivatives` names it, plus those of the inner forces times the formula's derivatives by their
/// variables. A Context throws InputError for unused names, and for invalid inner forces.
template <class Inner> struct BasicCustomCVForce {
    static constexpr std::string_view name = "CustomCVForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member
    using Answer = std::vector<double>;  ///< of `Context::ask`: the values of the variables

    RuntimeExpression energy{};                            ///< [kJ/mol], made by `formula`
    std::vector<TabulatedFunction> tabulated_functions{};  ///< that the formula may call
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    std::vector<std::string> energy_parameter_derivatives{};  ///< parameters by which derivatives are computed
    std::vector<std::string> variable_names{};  ///< names in the formula, one for each force of `variables`
    Indirect<Inner> variables{};  ///< the force of each name
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Throws ExpressionError.
    static RuntimeExpression formula(std::string text, std::vector<TabulatedFunction> const& tables = {}) {
        return {std::move(text), AnyName{}, formula_functions(tables)};
    }
    /// Adds a collective variable: the energy of `force` [kJ/mol] under this name.
    template <class F> void add_variable(std::string variable, F force) {
        variable_names.push_back(std::move(variable));
        variables->add(std::move(force));
    }

    /// Whether any inner force needs periodic box vectors.
    bool is_periodic() const { return trotter::is_periodic(*variables); }
    /// Calls `connect(i, j)` for particles that an inner force joins into one molecule.
    template <class Connect> void for_each_connection(Connect const& connect) const {
        trotter::for_each_connection(*variables, connect);
    }
};

}  // namespace trotter
