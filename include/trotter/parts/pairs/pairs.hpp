// Pair forces: which members a force declares, and how the names in its formula are resolved.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/base/global_parameters.hpp>
#include <trotter/concepts.hpp>
#include <trotter/expression/pair_names.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>
#include <trotter/parts/terms/term_formula.hpp>

namespace trotter {

/// A sum over pairs of particles: `F::sites` points to the list of per-particle parameters, described by `F::fields`,
/// or rows of values named by a member `parameter_names`. The energy of a pair is a formula `energy` of the distance r,
/// of per-particle parameters with suffix 1 or 2, and of global parameters that the force declares in a member
/// `global_parameters`; it must be symmetric in the two particles. The PairSettings `pairs` select the pairs. The
/// custom functions of the formula are the tables of a member `tabulated_functions`, in their order. Derivatives by the
/// parameters named in a member `energy_parameter_derivatives` are computed on request.
template <class F>
concept HasPairs = Force<F> && requires(F const& force) {
    { force.pairs } -> std::same_as<PairSettings const&>;
    (force.*F::sites).size();
    force.energy.formula();
} && (requires { std::tuple_size<decltype(F::fields)>::value; } || requires(F const& force) {
    { force.parameter_names[0] } -> std::convertible_to<std::string_view>;
});

/// Whether the per-particle parameters are known at compile time.
template <HasPairs F> inline constexpr bool has_fields = requires { std::tuple_size<decltype(F::fields)>::value; };
/// Whether the formula is known at compile time as well.
template <HasPairs F> inline constexpr bool has_known_formula = has_fields<F>&& requires { decltype(F::energy)::size; };

/// Names of the per-particle parameters.
template <HasPairs F> constexpr auto particle_names(F const& force) {
    if constexpr (has_fields<F>)
        return detail::field_names(F::fields);
    else
        return std::vector<std::string_view>(force.parameter_names.begin(), force.parameter_names.end());
}

/// Resolves `name`; if it is neither the distance nor a per-particle parameter, it is the global parameter `global`.
template <class Names>
constexpr expression::PairName role_of_name(std::string_view name, Names const& particle_names, int global) {
    using expression::Role;
    if (name == "r") return {Role::distance, 0};
    bool const is_first = name.ends_with('1'), is_second = name.ends_with('2');
    if (is_first || is_second)
        for (std::size_t n = 0; n < particle_names.size(); ++n)
            if (particle_names[n] == name.substr(0, name.size() - 1))
                return {is_first ? Role::particle1 : Role::particle2, static_cast<int>(n)};
    return {Role::global, global};
}

/// The global parameters among the names of a formula, in the order of the formula.
template <class FormulaNames, class Names>
constexpr std::vector<std::string_view> global_names(FormulaNames const& formula_names, Names const& particle_names) {
    std::vector<std::string_view> result;
    for (std::string_view const name : formula_names)
        if (role_of_name(name, particle_names, 0).role == expression::Role::global) result.push_back(name);
    return result;
}

/// The function from names to roles.
template <class Names>
constexpr auto pair_roles(std::vector<std::string_view> const& globals, Names const& particle_names) {
    return [&globals, &particle_names](std::string_view name) {
        return role_of_name(name, particle_names,
                            static_cast<int>(std::find(globals.begin(), globals.end(), name) - globals.begin()));
    };
}

/// Per-particle parameters: for each name a list over all particles.
template <HasPairs F> std::vector<std::vector<double>> particle_numbers(F const& force) {
    auto const& sites = force.*F::sites;
    std::vector<std::vector<double>> result(particle_names(force).size());
    if constexpr (has_fields<F>) {
        std::size_t n = 0;
        auto add = [&](auto const& field) {
            for (auto const& site : sites) result[n].push_back(static_cast<double>(site.*field.member));
            ++n;
        };
        std::apply([&](auto const&... field) { (add(field), ...); }, F::fields);
    } else
        for (auto const& site : sites)
            for (std::size_t n = 0; n < result.size(); ++n) result[n].push_back(site[n]);
    return result;
}

/// Indices, in `globals`, of the parameters by which the force computes derivatives.
template <HasPairs F>
std::vector<int> wanted_pair_derivatives(F const& force, std::vector<std::string_view> const& globals) {
    std::vector<int> result;
    auto const wanted = detail::derivative_names(force);
    for (std::size_t n = 0; n < globals.size(); ++n)
        if (std::find(wanted.begin(), wanted.end(), globals[n]) != wanted.end()) result.push_back(static_cast<int>(n));
    return result;
}

/// The values of global parameters.
template <class Names> std::vector<double> values_of(Names const& names, GlobalParameters const& parameters) {
    std::vector<double> result;
    for (auto const& name : names) result.push_back(parameters.value(name));
    return result;
}

}  // namespace trotter
