// Forces that are sums of terms: which members such a force declares.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <trotter/concepts.hpp>
#include <trotter/expression/runtime_statement.hpp>

namespace trotter {

/// Terms with parameters and formula known at compile time: the formula is a member `energy` or returned by
/// `formula()`.
template <class F>
concept HasKnownTerms = requires {
    std::tuple_size<decltype(F::fields)>::value;
}
&&(
    requires { F::energy; } || requires(F const& force) { force.formula(); });

/// Terms with a runtime formula, the member `energy`. Per-term parameters are a list `parameters`, named in the formula
/// by the member `parameter_names`.
template <class F>
concept HasRuntimeTerms = requires(F const& force) {
    { force.energy } -> std::same_as<RuntimeExpression const&>;
    { force.parameter_names[0] } -> std::convertible_to<std::string_view>;
    { (force.*F::terms)[0].parameters[0] } -> std::convertible_to<double>;
};

/// Terms with a number of particles known at run time: `force.term_size()`, in a list `particles` of each term. The
/// formula's variables are their coordinates x1, y1, z1, x2, … [nm].
template <class F>
concept HasTermsOfAnySize = HasRuntimeTerms<F> && requires(F const& force) {
    { force.term_size() } -> std::same_as<int>;
    { (force.*F::terms)[0].particles } -> std::same_as<std::vector<int> const&>;
};

/// A sum of terms: `F::terms` points to the list of terms, whose particles and parameters are `F::particles` and
/// `F::fields`; the energy of a term is a formula of geometric `F::variables`, fields, and global parameters that the
/// force declares in a member `global_parameters`. The three lists are tuples, or arrays if all items have one type
/// (faster to compile). Derivatives by the parameters named in a member `energy_parameter_derivatives` are computed on
/// request.
template <class F>
concept HasTerms = Force<F> &&(HasTermsOfAnySize<F> || (requires(F const& force) {
                                   (force.*F::terms).size();
                                   std::tuple_size<decltype(F::particles)>::value;
                                   std::tuple_size<decltype(F::variables)>::value;
                               } && (HasKnownTerms<F> || HasRuntimeTerms<F>)));

/// Type of a term, as `HarmonicBondForce::Bond`.
template <HasTerms F> using TermOf =
    typename std::remove_cvref_t<decltype(std::declval<F const&>().*F::terms)>::value_type;

/// Number of particles in each term.
template <HasTerms F> constexpr std::size_t term_size([[maybe_unused]] F const& force) {
    if constexpr (HasTermsOfAnySize<F>)
        return static_cast<std::size_t>(force.term_size());
    else
        return std::tuple_size_v<decltype(F::particles)>;
}

namespace detail {

template <class F, class T> struct OfTerm { using Type = std::vector<T>; };
template <class F, class T>
requires(!HasTermsOfAnySize<F>) struct OfTerm<F, T> {
    using Type = std::array<T, std::tuple_size_v<decltype(F::particles)>>;
};

}  // namespace detail

/// One T for each particle of a term: an array if the number is known at compile time, else a vector.
template <HasTerms F, class T> using ForTerm = typename detail::OfTerm<F, T>::Type;

}  // namespace trotter
