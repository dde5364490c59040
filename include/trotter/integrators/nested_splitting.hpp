// Splittings with several time steps: forces of different groups act at different intervals.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>
#include <trotter/integrators/splitting.hpp>

namespace trotter {

/// A product such as "V1 (V0 R V0)^4 V1": V1 kicks with the forces of group 1, and parentheses are repeated. Operators
/// are those of `Splitting`; each of n equal ones advances 1/n of the time step. (M. Tuckerman, B. J. Berne and G. J.
/// Martyna, J. Chem. Phys. 97, 1990 (1992).)
struct NestedSplitting {
    static constexpr std::size_t most = 512;  ///< largest number of operators after expansion of parentheses
    /// One operator of the product.
    struct Letter {
        char what = 0;  ///< V, R or O
        int group = 0;  ///< of a V
        constexpr bool operator==(Letter const&) const = default;  ///< compares operator and force group
    };
    std::array<Letter, most> letters{};  ///< the first `size` are used
    std::size_t size = 0;  ///< after expansion of parentheses

    SplittingError error = SplittingError::none;  ///< reported by a `static_assert` of the Context

    /// Parses the text; never throws, but sets `error`.
    consteval NestedSplitting(char const* text) {
        std::size_t at = 0;
        add(text, at);
        if (text[at] != 0) fail(SplittingError::parenthesis);
        if (count({'R', 0}) == 0 || groups() == 0) fail(SplittingError::one_letter_missing);
    }

    /// Number of occurrences of an operator.
    constexpr std::size_t count(Letter const& letter) const {
        std::size_t n = 0;
        for (std::size_t i = 0; i < size; ++i) n += letters[i] == letter;
        return n;
    }
    /// Fraction of the time step of operator i.
    constexpr double share(std::size_t i) const { return 1.0 / static_cast<double>(count(letters[i])); }
    /// Whether the product is palindromic, as time reversibility requires.
    constexpr bool is_symmetric() const {
        for (std::size_t i = 0; i < size / 2; ++i)
            if (!(letters[i] == letters[size - 1 - i])) return false;
        return true;
    }
    /// Whether the product contains an O, which needs a temperature.
    constexpr bool is_stochastic() const { return count({'O', 0}) > 0; }
    /// Number of V operators.
    constexpr std::size_t groups() const {
        std::size_t n = 0;
        for (std::size_t i = 0; i < size; ++i) n += letters[i].what == 'V';
        return n;
    }

private:
    static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
    /// Keeps the first error.
    constexpr void fail(SplittingError what) {
        if (error == SplittingError::none) error = what;
    }
    constexpr int number(char const* text, std::size_t& at) {
        if (!is_digit(text[at])) fail(SplittingError::number);
        int result = 0;
        for (; is_digit(text[at]) && result < 100000; ++at) result = 10 * result + (text[at] - '0');
        return result;
    }
    constexpr void append(Letter const& letter) {
        if (size == most) return fail(SplittingError::length);
        letters[size++] = letter;
    }
    constexpr void add(char const* text, std::size_t& at) {
        while (error == SplittingError::none && text[at] != 0 && text[at] != ')') {
            char const c = text[at++];
            if (c == ' ') continue;
            if (c == 'V') append({'V', number(text, at)});
            else if (c == 'R' || c == 'O') append({c, 0});
            else if (c == '(') repeat(text, at);
            else fail(c == '^' ? SplittingError::parenthesis : SplittingError::letter);
        }
    }
    constexpr void repeat(char const* text, std::size_t& at) {
        std::size_t const begin = size;
        add(text, at);
        if (error != SplittingError::none) return;
        if (text[at] != ')' || text[at + 1] != '^') return fail(SplittingError::parenthesis);
        at += 2;
        int const times = number(text, at);
        if (times < 1) return fail(SplittingError::number);
        std::size_t const end = size;
        for (int n = 1; n < times && error == SplittingError::none; ++n)
            for (std::size_t i = begin; i < end; ++i) append(letters[i]);
    }
};

/// A nested splitting as an integrator: `MultipleStepIntegrator<NestedSplitting{"V1 (V0 R V0)^4 V1"}>`. Only forces of
/// the named groups act. Velocities and positions are at the same time.
template <NestedSplitting Product> struct MultipleStepIntegrator {
    static constexpr std::string_view name = "MultipleStepIntegrator";  ///< type name, in messages and files
    static constexpr auto nested_splitting = Product;  ///< as given by the template argument

    double temperature = not_set;  ///< [K]
    double friction = not_set;     ///< [1/ps]
    double step_size = not_set;    ///< the longest step [ps]
    std::uint64_t seed = 0;  ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;  ///< relative error of constrained distances
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default
};

}  // namespace trotter
