// Validates forces that are sums over pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/core/range_check.hpp>
#include <trotter/core/repeated_pair.hpp>
#include <trotter/error.hpp>
#include <trotter/expression/error.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/parts/pairs/pair_symmetry.hpp>
#include <trotter/parts/pairs/pairs.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter {

namespace detail {

[[gnu::cold]] void check_settings(PairSettings const& settings, int particle_count, Box const& box);
[[gnu::cold]] void check_exclusions(std::vector<PairSettings::Exclusion> const& exclusions, int particle_count);

template <HasPairs F> [[gnu::cold]] void check_sites(F const& force) {
    auto const& sites = force.*F::sites;
    auto const names = particle_names(force);
    for (std::size_t n = 0; n < sites.size(); ++n) {
        Numbered const where{"particle", n};
        if constexpr (has_fields<F>)
            check_fields(F::fields, sites[n], where);
        else {
            if (sites[n].size() != names.size())
                throw InputError(where + " has " + std::to_string(sites[n].size()) + " parameters, expected "
                                 + std::to_string(names.size()) + ": "
                                 + expression::listed(names, [](auto const& name) { return name; }));
            for (std::size_t k = 0; k < names.size(); ++k)
                require_finite(sites[n][k], std::string(names[k]).c_str(), where);
        }
    }
}

/// Instantiated only for an unknown name, so that compilers print its arguments.
template <FixedString name, std::ptrdiff_t column> struct UnknownPairName {
    static_assert(
        column == 0,
        "this name in the formula is neither r nor a field with 1 or 2 behind it, and the force has no global "
        "parameters: the arguments of UnknownPairName<name, column> above or below say which and where");
};
template <HasPairs F, std::size_t n> constexpr void check_pair_name() {
    constexpr std::string_view name = decltype(F::energy)::names()[n];
    if constexpr (role_of_name(name, field_names(F::fields), 0).role == expression::Role::global) {
        constexpr auto text = [&] {
            char letters[name.size() + 1]{};
            std::copy(name.begin(), name.end(), letters);
            return FixedString(letters);
        }();
        (void)UnknownPairName<text, name.data() - decltype(F::energy)::formula().data() + 1>{};
    }
}

template <HasPairs F> [[gnu::cold]] void check_names(F const& force) {
    if constexpr (has_known_formula<F> && !requires { force.global_parameters; })
        [&]<std::size_t... n>(std::index_sequence<n...>) { (check_pair_name<F, n>(), ...); }
    (std::make_index_sequence<decltype(F::energy)::size>{});
    auto const& tables = tabulated_functions_of(force);
    check_tables(tables);
    for (auto const& instruction : force.energy.unit().code)
        if (auto const n = static_cast<std::size_t>(instruction.a); instruction.op == expression::Op::custom
            && (n >= tables.size() || tables[n].arguments() != instruction.c))
            throw InputError("the formula has a function that is none of the force's tabulated functions");
    auto const own = particle_names(force);
    auto const declared = declared_parameters(force);
    std::vector<std::string> known{"r"};
    for (auto const& name : own)
        for (char const side : {'1', '2'}) known.push_back(std::string(name) + side);
    for (auto const& parameter : declared) {
        if (std::find(known.begin(), known.end(), parameter.name) != known.end())
            throw InputError("the global parameter '" + parameter.name
                             + "' has the name of something else in the formula");
        known.push_back(parameter.name);
    }
    for (auto const& name : force.energy.names())
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw InputError("the formula has the unknown name '" + std::string(name)
                             + "'; known: " + expression::listed(known, [](auto const& text) { return text; }));
    check_derivative_names(derivative_names(force), declared);
}

/// Evaluates the energy of single pairs, for checks.
template <HasPairs F> class PairProbe {
public:
    explicit PairProbe(F const& force)
        : evaluate_(force.energy), numbers_(particle_numbers(force)), tables_(tabulated_functions_of(force)) {
        auto const own = particle_names(force);
        auto const declared = declared_parameters(force);
        for (std::string_view const name : force.energy.names()) {
            roles_.push_back(role_of_name(name, own, 0));
            auto const place =
                std::find_if(declared.begin(), declared.end(), [&](auto const& p) { return p.name == name; });
            arguments_.push_back(place == declared.end() ? 0 : place->default_value);
        }
        slopes_.resize(roles_.size());
    }
    double operator()(std::size_t i, std::size_t j, double r) {
        for (std::size_t n = 0; n < roles_.size(); ++n) {
            auto const [role, index] = roles_[n];
            if (role == expression::Role::distance)
                arguments_[n] = r;
            else if (role != expression::Role::global)
                arguments_[n] = numbers_[static_cast<std::size_t>(index)][role == expression::Role::particle1 ? i : j];
        }
        return evaluate_(arguments_.data(), slopes_.data(), tables_);
    }

private:
    Evaluator<double> evaluate_;
    std::vector<std::vector<double>> numbers_;
    Tables tables_;
    std::vector<expression::PairName> roles_;
    std::vector<double> arguments_, slopes_;
};

}  // namespace detail

/// Throws InputError for the first invalid setting, parameter or name of the force in a System of
/// `particle_count` particles and this box.
template <HasPairs F> [[gnu::cold]] void check_pairs(F const& force, int particle_count, Box const& box) {
    check_particle_number((force.*F::sites).size(), particle_count);
    detail::check_settings(force.pairs, particle_count, box);
    detail::check_sites(force);
    detail::check_names(force);
    check_symmetry("the energy", (force.*F::sites).size(), force.pairs, detail::PairProbe<F>(force));
    if constexpr (requires { force.check(); }) force.check();
}

/// Throws InputError unless `changed` differs from `force` only in per-particle parameters and tables.
template <HasPairs F> [[gnu::cold]] void check_same_pairs(F const& force, F const& changed) {
    if (!(force.pairs == changed.pairs))
        throw InputError("the settings of pairs have changed; only the numbers of particles can be updated");
    auto same = [](auto const& a, auto const& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
    if (force.energy.formula() != changed.energy.formula() || !same(particle_names(force), particle_names(changed)))
        throw InputError("the formula has changed; only the numbers of particles can be updated");
    check_same_tables(tabulated_functions_of(force), tabulated_functions_of(changed));
    if (detail::derivative_names(force) != detail::derivative_names(changed)
        || force.force_group != changed.force_group)
        throw InputError(
            "the force group or the wanted derivatives have changed; only the numbers of particles can be updated");
}

}  // namespace trotter
