// The formulas of terms, and how their names are resolved: variables, per-term and global parameters.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/base/global_parameters.hpp>
#include <trotter/expression/expression.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/parts/terms/terms.hpp>
#include <trotter/parts/terms/variables.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter {

/// Source of a name's value in a formula, and its index there.
struct FormulaArgument {
    /// The lists that arguments come from.
    enum class Source { variable, field, parameter } source;  ///< list that has the value
    std::size_t index;  ///< in that list
};

namespace detail {

/// x1, y1, z1, x2, …
std::vector<std::string> coordinate_names(std::size_t points);
template <class Variables> constexpr auto variable_names(Variables const& variables) {
    return std::apply([](auto const&... v) { return std::array<std::string_view, sizeof...(v)>{v.name...}; },
                      variables);
}
template <class Fields> constexpr auto field_names(Fields const& fields) {
    return std::apply([](auto const&... f) { return std::array<std::string_view, sizeof...(f)>{f.formula_name...}; },
                      fields);
}

/// Resolves the names of a formula. Names that are neither variables nor fields are global parameters, numbered in the
/// order of the formula; of fields with the same name the last applies.
template <class Names, class Variables, class Fields, class Arguments>
constexpr void find_arguments(Names const& names, Variables const& variables, Fields const& fields, Arguments& result) {
    auto const index_of = [](auto const& list, std::string_view name) {  // the size of the list if not found
        auto const found = std::find(list.rbegin(), list.rend(), name);
        return found == list.rend() ? list.size() : static_cast<std::size_t>(list.rend() - found) - 1;
    };
    std::size_t parameters = 0;
    for (std::size_t n = 0; n < names.size(); ++n) {
        std::size_t const variable = index_of(variables, names[n]), field = index_of(fields, names[n]);
        if (variable < variables.size())
            result[n] = {FormulaArgument::Source::variable, variable};
        else if (field < fields.size())
            result[n] = {FormulaArgument::Source::field, field};
        else
            result[n] = {FormulaArgument::Source::parameter, parameters++};
    }
}

}  // namespace detail

/// A formula given at run time, its resolved names, and the tables that are the first of its custom functions.
class RuntimeFormula {
public:
    /// Resolves the formula of a force; fields are its per-term parameters.
    template <class F> explicit RuntimeFormula(F const& force)
        : term_size_(trotter::term_size(force)),
          expression_(force.energy),
          tables_(tabulated_functions_of(force)),
          arguments_(names().size()) {
        if constexpr (HasTermsOfAnySize<F>)
            find_arguments(detail::coordinate_names(term_size_), force.parameter_names);
        else {
            auto const names = detail::variable_names(F::variables);
            find_arguments({names.begin(), names.end()}, force.parameter_names);
        }
    }
    /// Resolves a formula of the coordinates of points, three for each, and per-term parameters.
    RuntimeFormula(RuntimeExpression const& energy, std::vector<TabulatedFunction> const& tables,
                   std::vector<std::string> const& coordinates, std::vector<std::string> const& fields);
    /// The same with another expression, whose additional names are appended to the parameters.
    RuntimeFormula(RuntimeFormula const& other, RuntimeExpression const& expression);
    /// The compiled energy.
    RuntimeExpression const& expression() const { return expression_; }
    /// Tabulated functions, in the order of their numbers in the formula.
    Tables const& tables() const { return tables_; }
    /// Number of particles in each term.
    std::size_t term_size() const { return term_size_; }
    /// Names of the formula in the order of its arguments.
    std::vector<std::string> const& names() const { return expression_.names(); }
    /// Source of each name in `names`.
    std::vector<FormulaArgument> const& arguments() const { return arguments_; }
    /// Global parameters that the formula names.
    std::vector<std::string> const& parameter_names() const { return parameter_names_; }

private:
    void find_arguments(std::vector<std::string> const& variables, std::vector<std::string> const& fields);

    std::size_t term_size_;
    RuntimeExpression expression_;
    Tables tables_;
    std::vector<FormulaArgument> arguments_;
    std::vector<std::string> parameter_names_;
};

/// The formula of the terms.
template <HasTerms F> auto formula_of(F const& force) {
    if constexpr (HasRuntimeTerms<F>)
        return RuntimeFormula(force);
    else if constexpr (requires { force.formula(); })
        return force.formula();
    else
        return force.energy;
}
/// Type of the formula: known at compile time or at run time.
template <HasTerms F> using FormulaOf = decltype(formula_of(std::declval<F const&>()));

namespace detail {

template <HasKnownTerms F> constexpr auto known_arguments() {
    std::array<FormulaArgument, FormulaOf<F>::names().size()> result{};
    find_arguments(FormulaOf<F>::names(), variable_names(F::variables), field_names(F::fields), result);
    return result;
}

}  // namespace detail

/// Source and index of each name in the formula of `F`.
template <HasKnownTerms F> inline constexpr auto formula_arguments = detail::known_arguments<F>();

/// Number of global parameters in the formula of `F`.
template <HasKnownTerms F> inline constexpr std::size_t parameters_per_force = static_cast<std::size_t>(
    std::count_if(formula_arguments<F>.begin(), formula_arguments<F>.end(),
                  [](auto const& a) { return a.source == FormulaArgument::Source::parameter; }));

namespace detail {

template <class F, class T> struct NumbersOf {
    using Fields = std::vector<T>;
    using Parameters = std::vector<T>;
};
template <HasKnownTerms F, class T> struct NumbersOf<F, T> {
    using Fields = std::array<T, std::tuple_size_v<decltype(F::fields)>>;
    using Parameters = std::array<T, parameters_per_force<F>>;
};

template <HasKnownTerms F> constexpr auto known_parameter_names() {
    std::array<std::string_view, parameters_per_force<F>> result{};
    for (std::size_t n = 0; n < formula_arguments<F>.size(); ++n)
        if (auto const argument = formula_arguments<F>[n]; argument.source == FormulaArgument::Source::parameter)
            result[argument.index] = FormulaOf<F>::names()[n];
    return result;
}

}  // namespace detail

/// One value for each field of a term: an array if the number is known at compile time, else a vector.
template <HasTerms F, class T> using TermFields = typename detail::NumbersOf<F, T>::Fields;
/// One value for each global parameter of the formula, as `TermFields`.
template <HasTerms F, class T> using FormulaParameters = typename detail::NumbersOf<F, T>::Parameters;

/// Returns `count` zeros in an array or a vector.
template <class Numbers> Numbers zeros(std::size_t count) {
    Numbers result{};
    if constexpr (requires { result.resize(count); }) result.resize(count);
    return result;
}

/// Number of fields of each term.
template <HasTerms F> constexpr std::size_t field_count(F const& force) {
    if constexpr (HasRuntimeTerms<F>)
        return force.parameter_names.size();
    else
        return std::tuple_size_v<decltype(F::fields)>;
}

/// The names of the global parameters that a formula uses.
template <HasTerms F> decltype(auto) parameter_names([[maybe_unused]] FormulaOf<F> const& formula) {
    if constexpr (HasRuntimeTerms<F>)
        return (formula.parameter_names());
    else
        return detail::known_parameter_names<F>();
}

/// Current values of these parameters.
template <HasTerms F>
FormulaParameters<F, double> parameter_values(FormulaOf<F> const& formula, GlobalParameters const& parameters) {
    decltype(auto) names = parameter_names<F>(formula);
    auto result = zeros<FormulaParameters<F, double>>(names.size());
    for (std::size_t n = 0; n < result.size(); ++n) result[n] = parameters.value(names[n]);
    return result;
}

/// The particles of a term.
template <HasTerms F> ForTerm<F, int> particles_of(TermOf<F> const& term) {
    if constexpr (HasTermsOfAnySize<F>)
        return term.particles;
    else
        return std::apply([&](auto... member) { return ForTerm<F, int>{term.*member...}; }, F::particles);
}
/// The parameters of a term, in the order of `F::fields` or of the force's `parameter_names`.
template <HasTerms F> TermFields<F, double> fields_of(TermOf<F> const& term) {
    if constexpr (HasRuntimeTerms<F>)
        return term.parameters;
    else
        return std::apply(
            [&](auto const&... field) { return TermFields<F, double>{static_cast<double>(term.*field.member)...}; },
            F::fields);
}

namespace detail {

template <class F> std::vector<GlobalParameter> declared_parameters(F const& force) {
    if constexpr (requires { force.global_parameters; })
        return force.global_parameters;
    else
        return {};
}
template <class F> std::vector<std::string> derivative_names(F const& force) {
    if constexpr (requires { force.energy_parameter_derivatives; })
        return force.energy_parameter_derivatives;
    else
        return {};
}
/// Throws InputError for a derivative by an undeclared parameter.
[[gnu::cold]] void check_derivative_names(std::vector<std::string> const& names,
                                          std::vector<GlobalParameter> const& declared);

}  // namespace detail

/// Declares the force's global parameters and parameter derivatives.
template <class F, class Derivatives>
[[gnu::cold]] void declare_parameters(F const& force, GlobalParameters& parameters, Derivatives& derivatives) {
    for (auto const& parameter : detail::declared_parameters(force))
        parameters.declare(parameter.name, parameter.default_value);
    for (auto const& name : detail::derivative_names(force)) derivatives.emplace(name, 0);
}

/// For each global parameter of the formula, whether the force computes the derivative by it.
template <HasTerms F> std::vector<bool> wanted_derivatives(F const& force, FormulaOf<F> const& formula) {
    std::vector<bool> result;
    auto const wanted = detail::derivative_names(force);
    for (std::string_view const name : parameter_names<F>(formula))
        result.push_back(std::find(wanted.begin(), wanted.end(), name) != wanted.end());
    return result;
}

}  // namespace trotter
