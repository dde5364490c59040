// The generic walk over forces that are sums of terms: what their formulas mean, checks, and the value of one term.
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

#include <trotter/concepts.hpp>
#include <trotter/expression/expression.hpp>
#include <trotter/field.hpp>
#include <trotter/forces/variables.hpp>
#include <trotter/global_parameters.hpp>

namespace trotter {

/// A sum of terms: `F::terms` points to the list of terms, whose particles and numbers are `F::particles` and
/// `F::fields`; the energy of a term is a formula of geometric `F::variables`, fields, and global parameters that the
/// force declares in a member `global_parameters`. The formula is a member `energy` or is made by `formula()`. The
/// three lists are tuples, or arrays where all items have one type: compilers are quicker with these.
/// Derivatives by the parameters named in a member `energy_parameter_derivatives` are computed where asked for.
template <class F>
concept HasTerms = Force<F> && requires(F const& force) {
    (force.*F::terms).size();
    std::tuple_size<decltype(F::particles)>::value;
    std::tuple_size<decltype(F::variables)>::value;
    std::tuple_size<decltype(F::fields)>::value;
} &&(
    requires { F::energy; } || requires(F const& force) { force.formula(); });

template <HasTerms F> using TermOf =
    typename std::remove_cvref_t<decltype(std::declval<F const&>().*F::terms)>::value_type;

template <HasTerms F> inline constexpr std::size_t particles_per_term = std::tuple_size_v<decltype(F::particles)>;
template <HasTerms F> inline constexpr std::size_t fields_per_term = std::tuple_size_v<decltype(F::fields)>;

/// The formula of the terms.
template <HasTerms F> auto formula_of(F const& force) {
    if constexpr (requires { force.formula(); })
        return force.formula();
    else
        return force.energy;
}
template <HasTerms F> using FormulaOf = decltype(formula_of(std::declval<F const&>()));

/// Where the value of a name in a formula comes from, and its index there.
struct FormulaArgument {
    enum class Source { variable, field, parameter } source;
    std::size_t index;
};

namespace detail {

template <class Variables> constexpr auto variable_names(Variables const& variables) {
    return std::apply([](auto const&... v) { return std::array<std::string_view, sizeof...(v)>{v.name...}; }, variables);
}
template <class Fields> constexpr auto field_names(Fields const& fields) {
    return std::apply([](auto const&... f) { return std::array<std::string_view, sizeof...(f)>{f.formula_name...}; }, fields);
}
template <std::size_t N>
constexpr std::size_t index_of(std::array<std::string_view, N> const& names, std::string_view name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// Names that are neither variables nor fields are global parameters, numbered in the order of the formula.
template <HasTerms F> constexpr auto find_arguments() {
    constexpr auto variables = variable_names(F::variables);
    constexpr auto fields = field_names(F::fields);
    std::array<FormulaArgument, FormulaOf<F>::names().size()> result{};
    std::size_t parameters = 0;
    for (std::size_t n = 0; n < result.size(); ++n) {
        std::string_view const name = FormulaOf<F>::names()[n];
        std::size_t const variable = index_of(variables, name), field = index_of(fields, name);
        if (variable < variables.size())
            result[n] = {FormulaArgument::Source::variable, variable};
        else if (field < fields.size())
            result[n] = {FormulaArgument::Source::field, field};
        else
            result[n] = {FormulaArgument::Source::parameter, parameters++};
    }
    return result;
}

}  // namespace detail

/// For each name in the formula of `F`, what it stands for.
template <HasTerms F> inline constexpr auto formula_arguments = detail::find_arguments<F>();

namespace detail {

/// Instantiated only for a name that nothing stands for, so that compilers print its arguments.
template <FixedString name, std::ptrdiff_t column> struct UnknownName {
    static_assert(column == 0, "this name in the formula is no variable and no field, and the force has no global parameters: "
                               "the arguments of UnknownName<name, column> above or below say which and where");
};

// Without global parameters, every name must be known to the compiler.
template <HasTerms F, std::size_t n> constexpr void check_name() {
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
template <HasTerms F> inline constexpr std::size_t parameters_per_force = static_cast<std::size_t>(
    std::count_if(formula_arguments<F>.begin(), formula_arguments<F>.end(),
                  [](auto const& a) { return a.source == FormulaArgument::Source::parameter; }));

/// The names of these parameters.
template <HasTerms F> constexpr std::array<std::string_view, parameters_per_force<F>> parameter_names() {
    std::array<std::string_view, parameters_per_force<F>> result{};
    for (std::size_t n = 0; n < formula_arguments<F>.size(); ++n)
        if (auto const argument = formula_arguments<F>[n]; argument.source == FormulaArgument::Source::parameter)
            result[argument.index] = FormulaOf<F>::names()[n];
    return result;
}

/// Their present values.
template <HasTerms F> std::array<double, parameters_per_force<F>> parameter_values(GlobalParameters const& parameters) {
    std::array<double, parameters_per_force<F>> result{};
    for (std::size_t n = 0; n < result.size(); ++n) result[n] = parameters.value(parameter_names<F>()[n]);
    return result;
}

/// The particles of a term.
template <HasTerms F> std::array<int, particles_per_term<F>> particles_of(TermOf<F> const& term) {
    return std::apply([&](auto... member) { return std::array<int, particles_per_term<F>>{term.*member...}; },
                      F::particles);
}
/// The numbers of a term, in the order of `F::fields`.
template <HasTerms F> std::array<double, fields_per_term<F>> fields_of(TermOf<F> const& term) {
    return std::apply(
        [&](auto const&... field) {
            return std::array<double, fields_per_term<F>>{static_cast<double>(term.*field.member)...};
        },
        F::fields);
}

/// Energy of a term and its derivatives by the positions of its particles and by the formula's global parameters.
template <HasTerms F, class T> struct TermValue {
    T energy{};
    std::array<Vec3<T>, particles_per_term<F>> gradient{};
    std::array<T, parameters_per_force<F>> parameter_slopes{};
};

/// The value of one term, or of a batch of terms where `T` is a SIMD type. `difference(i, j)` is x_i - x_j of the
/// term's i-th and j-th particles, of the nearest image if the force is periodic.
template <HasTerms F, class T, class Difference>
TermValue<F, T> evaluate_term(FormulaOf<F> const& formula, Difference const& difference,
                              std::array<T, fields_per_term<F>> const& fields,
                              std::array<T, parameters_per_force<F>> const& parameters) {
    using Source = FormulaArgument::Source;
    auto const variations = std::apply(
        [&](auto const&... variable) { return std::tuple{variable.template vary<T>(difference)...}; }, F::variables);
    constexpr auto arguments = formula_arguments<F>;
    auto argument = [&]<std::size_t n>(std::integral_constant<std::size_t, n>) -> T {
        if constexpr (arguments[n].source == Source::variable)
            return std::get<arguments[n].index>(variations).value;
        else if constexpr (arguments[n].source == Source::field)
            return fields[arguments[n].index];
        else
            return parameters[arguments[n].index];
    };
    TermValue<F, T> result;
    auto add_slope = [&]<std::size_t n>(std::integral_constant<std::size_t, n>, T const& slope) {
        if constexpr (arguments[n].source == Source::variable) {
            auto const& variable = std::get<arguments[n].index>(F::variables);
            auto const& variation = std::get<arguments[n].index>(variations);
            for (std::size_t p = 0; p < variable.particles.size(); ++p)
                result.gradient[static_cast<std::size_t>(variable.particles[p])] += variation.gradient[p] * slope;
        } else if constexpr (arguments[n].source == Source::parameter) {
            result.parameter_slopes[arguments[n].index] = slope;
        }
    };
    [&]<std::size_t... n>(std::index_sequence<n...>) {
        std::array<T, arguments.size()> const values{argument(std::integral_constant<std::size_t, n>{})...};
        auto const [energy, slopes] = formula.template energy_and_slopes<T>(values);
        result.energy = energy;
        (add_slope(std::integral_constant<std::size_t, n>{}, slopes[n]), ...);
    }
    (std::make_index_sequence<arguments.size()>{});
    return result;
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
    if constexpr (!requires { force.global_parameters; })
        [&]<std::size_t... n>(std::index_sequence<n...>) { (check_name<F, n>(), ...); }
        (std::make_index_sequence<formula_arguments<F>.size()>{});
    auto const declared = declared_parameters(force);
    auto is_declared = [&](std::string_view name) {
        return std::any_of(declared.begin(), declared.end(),
                           [&](auto const& parameter) { return parameter.name == name; });
    };
    for (std::string_view const name : parameter_names<F>())
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

/// Throws InputError for the first particle, number or name of the force that makes no sense.
template <HasTerms F> [[gnu::cold]] void check_terms(F const& force, int particle_count) {
    detail::check_parameters(force);
    auto const& terms = force.*F::terms;
    for (std::size_t n = 0; n < terms.size(); ++n) {
        Numbered const where{term_name<F>(), n};
        for (int const particle : particles_of<F>(terms[n])) check_particle(particle, particle_count, where);
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
template <HasTerms F> std::array<bool, parameters_per_force<F>> wanted_derivatives(F const& force) {
    std::array<bool, parameters_per_force<F>> result{};
    auto const names = detail::derivative_names(force);
    for (std::size_t n = 0; n < result.size(); ++n)
        result[n] = std::find(names.begin(), names.end(), parameter_names<F>()[n]) != names.end();
    return result;
}

}  // namespace trotter
