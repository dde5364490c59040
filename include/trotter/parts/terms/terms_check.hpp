// Validates the terms of a force.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/parts/terms/term_formula.hpp>

namespace trotter {

namespace detail {

/// Instantiated only for an unknown name, so that compilers print its arguments.
template <FixedString name, std::ptrdiff_t column> struct UnknownName {
    static_assert(column == 0,
                  "this name in the formula is no variable and no field, and the force has no global parameters: "
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

/// Instantiated for each particle of each variable, so that compilers print the arguments of one that does not exist.
template <class F, FixedString variable, int particle, int particles_of_a_term> struct ParticleOfVariable {
    static_assert(particle >= 0 && particle < particles_of_a_term,
                  "a variable of this force names a particle that its terms do not have; they count from 0: the "
                  "arguments of ParticleOfVariable<force, variable, particle, particles_of_a_term> say which");
};
/// Likewise, if a variable names a particle twice.
template <class F, FixedString variable, bool names_a_particle_twice> struct ParticlesOfVariable {
    static_assert(!names_a_particle_twice,
                  "a variable of this force names one particle twice: a Distance needs 2 particles, an Angle 3 and a "
                  "Dihedral 4; the arguments of ParticlesOfVariable<force, variable, true> say which");
};
template <class Particles> constexpr bool names_one_twice(Particles const& particles) {
    for (std::size_t p = 0; p < particles.size(); ++p)
        for (std::size_t q = 0; q < p; ++q)
            if (particles[p] == particles[q]) return true;
    return false;
}
template <class F, std::size_t n> constexpr void check_variable() {
    constexpr auto variable = std::get<n>(F::variables);
    constexpr auto text = [] {
        constexpr std::string_view name = std::get<n>(F::variables).name;
        char letters[name.size() + 1]{};
        std::copy(name.begin(), name.end(), letters);
        return FixedString(letters);
    }();
    (void)ParticlesOfVariable<F, text, names_one_twice(variable.particles)>{};
    [&]<std::size_t... p>(std::index_sequence<p...>) {
        ((void)ParticleOfVariable<F, text, variable.particles[p], int(std::tuple_size_v<decltype(F::particles)>)>{},
         ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(variable.particles)>>{});
}
template <HasTerms F> constexpr void check_variables() {
    if constexpr (!HasTermsOfAnySize<F>) [&]<std::size_t... n>(std::index_sequence<n...>) {
            (check_variable<F, n>(), ...);
        }
    (std::make_index_sequence<std::tuple_size_v<decltype(F::variables)>>{});
}

template <HasTerms F> [[gnu::cold]] void check_parameters(F const& force) {
    check_variables<F>();
    if constexpr (HasKnownTerms<F> && !requires { force.global_parameters; })
        [&]<std::size_t... n>(std::index_sequence<n...>) { (check_name<F, n>(), ...); }
    (std::make_index_sequence<formula_arguments<F>.size()>{});
    auto const declared = declared_parameters(force);
    auto const names = [&] {  // `formula()` of other forces may require checked parameters
        if constexpr (HasRuntimeTerms<F>)
            return formula_of(force).parameter_names();
        else
            return detail::known_parameter_names<F>();
    }();
    for (std::string_view const name : names)
        if (std::none_of(declared.begin(), declared.end(), [&](auto const& known) { return known.name == name; }))
            throw InputError("the formula has the name '" + std::string(name)
                             + "', which is neither a variable, a field nor a global parameter of the force");
    check_derivative_names(derivative_names(force), declared);
}

}  // namespace detail

/// Name of a term of the force in messages and files.
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

/// Throws InputError for the first invalid parameter of a term.
template <HasTerms F> void check_term_numbers(F const& force) {
    auto const& terms = force.*F::terms;
    if constexpr (HasRuntimeTerms<F>)
        for (std::size_t n = 0; n < terms.size(); ++n)
            detail::check_row(force.parameter_names, terms[n].parameters, Numbered{term_name<F>(), n});
    auto const check_column = [&](auto const& field) {
        for (std::size_t n = 0; n < terms.size(); ++n) check_field(field, terms[n], Numbered{term_name<F>(), n});
    };
    if constexpr (!HasRuntimeTerms<F>)
        std::apply([&](auto const&... field) { (check_column(field), ...); }, F::fields);
    if constexpr (requires { force.check(); }) force.check();
}

/// Throws InputError for the first invalid particle, parameter or name of the force.
template <HasTerms F> void check_terms(F const& force, int particle_count) {
    detail::check_parameters(force);
    auto const& terms = force.*F::terms;
    for (std::size_t n = 0; n < terms.size(); ++n) {
        Numbered const where{term_name<F>(), n};
        if constexpr (HasTermsOfAnySize<F>)
            if (terms[n].particles.size() != term_size(force))
                throw InputError(where + " has " + std::to_string(terms[n].particles.size()) + " particles, expected "
                                 + std::to_string(term_size(force)));
        auto const particles = particles_of<F>(terms[n]);
        for (int const particle : particles) check_particle(particle, particle_count, where);
        if (particles.size() == 2 && particles[0] == particles[1])
            throw InputError(where + " is a bond of particle " + std::to_string(particles[0]) + " with itself");
    }
    check_term_numbers(force);
}

/// Checks the terms and returns the formula, whose construction may rely on the checks.
template <HasTerms F> FormulaOf<F> checked_formula(F const& force, int particle_count) {
    check_terms(force, particle_count);
    return formula_of(force);
}

/// Throws InputError unless `changed` differs from `force` only in per-term parameters.
template <HasTerms F> void check_same_terms(F const& force, F const& changed) {
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

}  // namespace trotter
