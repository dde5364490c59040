// The generic walk over forces that are sums of terms: what their formulas mean, and checks.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/concepts.hpp>
#include <trotter/expression/expression.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/field.hpp>
#include <trotter/forces/variables.hpp>
#include <trotter/global_parameters.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter {

/// Terms whose numbers and formula the compiler knows: the formula is a member `energy` or is made by `formula()`.
template <class F>
concept HasKnownTerms = requires { std::tuple_size<decltype(F::fields)>::value; }
                        && (requires { F::energy; } || requires(F const& force) { force.formula(); });

/// Terms whose formula, a member `energy`, is known at run time only. The numbers of a term are a row `parameters`, and
/// a member `parameter_names` says what the formula calls them.
template <class F>
concept HasRuntimeTerms = requires(F const& force) {
    { force.energy } -> std::same_as<RuntimeExpression const&>;
    { force.parameter_names[0] } -> std::convertible_to<std::string_view>;
    { (force.*F::terms)[0].parameters[0] } -> std::convertible_to<double>;
};

/// Terms of a number of particles that only the run time knows: `force.term_size()`, in a list `particles` of each term.
/// The formula's variables are their coordinates x1, y1, z1, x2, … [nm].
template <class F>
concept HasTermsOfAnySize = HasRuntimeTerms<F> && requires(F const& force) {
    { force.term_size() } -> std::same_as<int>;
    { (force.*F::terms)[0].particles } -> std::same_as<std::vector<int> const&>;
};

/// A sum of terms: `F::terms` points to the list of terms, whose particles and numbers are `F::particles` and
/// `F::fields`; the energy of a term is a formula of geometric `F::variables`, fields, and global parameters that the
/// force declares in a member `global_parameters`. The three lists are tuples, or arrays where all items have one type:
/// compilers are quicker with these.
/// Derivatives by the parameters named in a member `energy_parameter_derivatives` are computed where asked for.
template <class F>
concept HasTerms = Force<F> && (HasTermsOfAnySize<F> || (requires(F const& force) {
    (force.*F::terms).size();
    std::tuple_size<decltype(F::particles)>::value;
    std::tuple_size<decltype(F::variables)>::value;
} && (HasKnownTerms<F> || HasRuntimeTerms<F>)));

template <HasTerms F> using TermOf =
    typename std::remove_cvref_t<decltype(std::declval<F const&>().*F::terms)>::value_type;

/// How many particles each term has.
template <HasTerms F> constexpr std::size_t term_size([[maybe_unused]] F const& force) {
    if constexpr (HasTermsOfAnySize<F>)
        return static_cast<std::size_t>(force.term_size());
    else
        return std::tuple_size_v<decltype(F::particles)>;
}

namespace detail {

template <class F, class T> struct OfTerm {
    using Type = std::vector<T>;
};
template <class F, class T>
requires(!HasTermsOfAnySize<F>)
struct OfTerm<F, T> {
    using Type = std::array<T, std::tuple_size_v<decltype(F::particles)>>;
};

}  // namespace detail

/// Something for each particle of a term: an array where the compiler knows how many there are, else a vector.
template <HasTerms F, class T> using ForTerm = typename detail::OfTerm<F, T>::Type;

/// Where the value of a name in a formula comes from, and its index there.
struct FormulaArgument {
    enum class Source { variable, field, parameter } source;
    std::size_t index;
};

namespace detail {

/// x1, y1, z1, x2, …
inline std::vector<std::string> coordinate_names(std::size_t points) {
    std::vector<std::string> result;
    for (std::size_t n = 1; n <= points; ++n)
        for (char const axis : {'x', 'y', 'z'}) result.push_back(axis + std::to_string(n));
    return result;
}
template <class Variables> constexpr auto variable_names(Variables const& variables) {
    return std::apply([](auto const&... v) { return std::array<std::string_view, sizeof...(v)>{v.name...}; }, variables);
}
template <class Fields> constexpr auto field_names(Fields const& fields) {
    return std::apply([](auto const&... f) { return std::array<std::string_view, sizeof...(f)>{f.formula_name...}; }, fields);
}

/// What each name of a formula stands for. Names that are neither variables nor fields are global parameters, numbered
/// in the order of the formula.
template <class Names, class Variables, class Fields, class Arguments>
constexpr void find_arguments(Names const& names, Variables const& variables, Fields const& fields, Arguments& result) {
    auto const index_of = [](auto const& list, std::string_view name) {
        return static_cast<std::size_t>(std::find(list.begin(), list.end(), name) - list.begin());
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

/// A formula of the run time, what its names stand for, and the tables that are the first of its custom functions.
class RuntimeFormula {
public:
    template <class F> explicit RuntimeFormula(F const& force)
        : term_size_(trotter::term_size(force)),
          expression_(force.energy),
          tables_(tabulated_functions_of(force)),
          arguments_(names().size()) {
        if constexpr (HasTermsOfAnySize<F>)
            detail::find_arguments(names(), detail::coordinate_names(term_size_), force.parameter_names,
                                   arguments_);
        else
            detail::find_arguments(names(), detail::variable_names(F::variables), force.parameter_names, arguments_);
        for (std::size_t n = 0; n < arguments_.size(); ++n)
            if (arguments_[n].source == FormulaArgument::Source::parameter) parameter_names_.push_back(names()[n]);
    }
    RuntimeExpression const& expression() const { return expression_; }
    Tables const& tables() const { return tables_; }
    std::size_t term_size() const { return term_size_; }
    std::vector<std::string> const& names() const { return expression_.names(); }
    std::vector<FormulaArgument> const& arguments() const { return arguments_; }
    std::vector<std::string> const& parameter_names() const { return parameter_names_; }

private:
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
template <HasTerms F> using FormulaOf = decltype(formula_of(std::declval<F const&>()));

namespace detail {

template <HasKnownTerms F> constexpr auto known_arguments() {
    std::array<FormulaArgument, FormulaOf<F>::names().size()> result{};
    find_arguments(FormulaOf<F>::names(), variable_names(F::variables), field_names(F::fields), result);
    return result;
}

}  // namespace detail

/// For each name in the formula of `F`, what it stands for.
template <HasKnownTerms F> inline constexpr auto formula_arguments = detail::known_arguments<F>();

namespace detail {

/// Instantiated only for a name that nothing stands for, so that compilers print its arguments.
template <FixedString name, std::ptrdiff_t column> struct UnknownName {
    static_assert(column == 0, "this name in the formula is no variable and no field, and the force has no global parameters: "
                               "the arguments of UnknownName<name, column> above or below say which and where");
};

// Without global parameters, every name must be known to the compiler.
template <HasKnownTerms F, std::size_t n> constexpr void check_name() {
    if constexpr (formula_arguments<F>[n].source == FormulaArgument::Source::parameter) {
        constexpr std::string_view name = FormulaOf<F>::names()[n];
        constexpr auto text = [&] {
            char letters[name.size() + 1]{};
            std::copy(name.begin(), name.end(), letters);
            return FixedString(letters);
        }();
        (void)UnknownName<text, name.data() - FormulaOf<F>::formula().data() + 1>{};
    }
}

}  // namespace detail

/// How many global parameters the formula of `F` uses.
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

/// A number for each field of a term, or for each global parameter of the formula: an array where the compiler knows
/// how many, else a vector.
template <HasTerms F, class T> using TermFields = typename detail::NumbersOf<F, T>::Fields;
template <HasTerms F, class T> using FormulaParameters = typename detail::NumbersOf<F, T>::Parameters;

/// So many numbers, all 0, in an array or a vector.
template <class Numbers> Numbers zeros(std::size_t count) {
    Numbers result{};
    if constexpr (requires { result.resize(count); }) result.resize(count);
    return result;
}

/// How many fields each term has.
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

/// Their present values.
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
/// The numbers of a term, in the order of `F::fields` or of the force's `parameter_names`.
template <HasTerms F> TermFields<F, double> fields_of(TermOf<F> const& term) {
    if constexpr (HasRuntimeTerms<F>)
        return term.parameters;
    else
        return std::apply(
            [&](auto const&... field) {
                return TermFields<F, double>{static_cast<double>(term.*field.member)...};
            },
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

template <HasTerms F> [[gnu::cold]] void check_parameters(F const& force) {
    if constexpr (HasKnownTerms<F> && !requires { force.global_parameters; })
        [&]<std::size_t... n>(std::index_sequence<n...>) { (check_name<F, n>(), ...); }
        (std::make_index_sequence<formula_arguments<F>.size()>{});
    auto const declared = declared_parameters(force);
    auto is_declared = [&](std::string_view name) {
        return std::any_of(declared.begin(), declared.end(),
                           [&](auto const& parameter) { return parameter.name == name; });
    };
    auto const names = [&] {  // making any other formula may rely on checks
        if constexpr (HasRuntimeTerms<F>)
            return formula_of(force).parameter_names();
        else
            return detail::known_parameter_names<F>();
    }();
    for (std::string_view const name : names)
        if (!is_declared(name))
            throw InputError("the formula has the name '" + std::string(name)
                             + "', which is neither a variable, a field nor a global parameter of the force");
    for (auto const& name : derivative_names(force))
        if (!is_declared(name))
            throw InputError("a derivative by '" + name + "' is asked for, which is no global parameter of the force");
}

}  // namespace detail

/// What messages and files call a term of the force.
template <HasTerms F> constexpr std::string_view term_name() {
    if constexpr (requires { F::term_name; })
        return F::term_name;
    else
        return "term";
}

namespace detail {

[[gnu::cold]] inline void check_row(std::vector<std::string> const& names, std::vector<double> const& row,
                                    Numbered const& where) {
    if (row.size() != names.size())
        throw InputError(where + " has " + std::to_string(row.size()) + " parameters, expected "
                         + std::to_string(names.size()));
    for (std::size_t n = 0; n < row.size(); ++n)
        if (!std::isfinite(row[n]))
            throw InputError(where + ": " + names[n] + " is " + std::to_string(row[n]) + ", expected a finite number");
}

}  // namespace detail

/// Throws InputError for the first particle, number or name of the force that makes no sense.
template <HasTerms F> [[gnu::cold]] void check_terms(F const& force, int particle_count) {
    detail::check_parameters(force);
    auto const& terms = force.*F::terms;
    for (std::size_t n = 0; n < terms.size(); ++n) {
        Numbered const where{term_name<F>(), n};
        if constexpr (HasTermsOfAnySize<F>)
            if (terms[n].particles.size() != term_size(force))
                throw InputError(where + " has " + std::to_string(terms[n].particles.size()) + " particles, expected "
                                 + std::to_string(term_size(force)));
        for (int const particle : particles_of<F>(terms[n])) check_particle(particle, particle_count, where);
        if constexpr (HasRuntimeTerms<F>)
            detail::check_row(force.parameter_names, terms[n].parameters, where);
        else
            std::apply([&](auto const&... field) { (check_field(field, terms[n], where), ...); }, F::fields);
    }
    if constexpr (requires { force.check(); }) force.check();
}

/// The formula of a force whose terms have been checked, on which making it may rely.
template <HasTerms F> FormulaOf<F> checked_formula(F const& force, int particle_count) {
    check_terms(force, particle_count);
    return formula_of(force);
}

/// Throws InputError unless `changed` has the terms of `force` with other numbers.
template <HasTerms F> [[gnu::cold]] void check_same_terms(F const& force, F const& changed) {
    if constexpr (HasRuntimeTerms<F>)
        if (!(force.energy == changed.energy) || force.parameter_names != changed.parameter_names)
            throw InputError("the formula of the terms has changed; only their numbers can be updated");
    check_same_tables(tabulated_functions_of(force), tabulated_functions_of(changed));
    auto const &before = force.*F::terms, &after = changed.*F::terms;
    if (before.size() != after.size())
        throw InputError("the number of terms has changed from " + std::to_string(before.size()) + " to "
                         + std::to_string(after.size()) + "; only their numbers can be updated");
    for (std::size_t n = 0; n < before.size(); ++n)
        if (particles_of<F>(before[n]) != particles_of<F>(after[n]))
            throw InputError(std::string(term_name<F>()) + " " + std::to_string(n)
                             + " acts on other particles than before; only the numbers of terms can be updated");
}

/// Tells a Context of the force's global parameters and of the derivatives that it computes.
template <HasTerms F, class Derivatives>
[[gnu::cold]] void declare_parameters(F const& force, GlobalParameters& parameters, Derivatives& derivatives) {
    for (auto const& parameter : detail::declared_parameters(force))
        parameters.declare(parameter.name, parameter.default_value);
    for (auto const& name : detail::derivative_names(force)) derivatives.emplace(name, 0);
}

/// For each global parameter of the formula, whether the force wants the derivative by it.
template <HasTerms F> std::vector<bool> wanted_derivatives(F const& force, FormulaOf<F> const& formula) {
    std::vector<bool> result;
    auto const wanted = detail::derivative_names(force);
    for (std::string_view const name : parameter_names<F>(formula))
        result.push_back(std::find(wanted.begin(), wanted.end(), name) != wanted.end());
    return result;
}

}  // namespace trotter
