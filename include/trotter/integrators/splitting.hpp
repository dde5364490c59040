// Integrators as operator splittings (Trotter products).
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

namespace trotter {

/// Errors in the text of a splitting, reported when a Context is compiled.
enum class SplittingError { none, letter, one_letter_missing, blank, parenthesis, number, length };

/// A product such as "V R O R": V kicks the velocities with the forces, R drifts the positions, O is the exact
/// Ornstein-Uhlenbeck step of the velocities. Operators act from left to right; each of n equal ones advances 1/n of
/// the time step. All properties that integrator kernels need are known at compile time.
template <std::size_t N> struct Splitting {
    std::array<char, N> letters{};  ///< operators from left to right
    SplittingError error = SplittingError::none;  ///< reported by a `static_assert` of the Context

    /// Parses the text; never throws, but sets `error`.
    template <std::size_t M> consteval Splitting(char const (&text)[M]) {
        using enum SplittingError;
        for (std::size_t i = 0; i < N; ++i) {
            letters[i] = text[2 * i];
            if (2 * i + 2 < M && text[2 * i + 1] != ' ') error = blank;
        }
        if (error == none && M != 2 * N) error = blank;
        for (char const c : letters)
            if (error == none && c != 'V' && c != 'R' && c != 'O') error = letter;
        if (error == none && (count('V') == 0 || count('R') == 0)) error = one_letter_missing;
    }

    /// A part of another splitting, which may lack operators.
    constexpr explicit Splitting(std::array<char, N> const& part) : letters(part) {}
    /// Operators `first` to `end` - 1.
    template <std::size_t first, std::size_t end> constexpr Splitting<end - first> part() const {
        std::array<char, end - first> result{};
        for (std::size_t i = first; i < end; ++i) result[i - first] = letters[i];
        return Splitting<end - first>(result);
    }

    /// Number of occurrences of an operator.
    constexpr std::size_t count(char letter) const {
        std::size_t n = 0;
        for (char l : letters) n += l == letter;
        return n;
    }
    /// Fraction of the time step of one such operator.
    constexpr double share(char letter) const { return count(letter) == 0 ? 0 : 1.0 / static_cast<double>(count(letter)); }

    /// Whether the product contains an O, which needs a temperature.
    constexpr bool is_stochastic() const { return count('O') > 0; }
    /// Whether the product is palindromic, as time reversibility requires.
    constexpr bool is_symmetric() const {
        for (std::size_t i = 0; i < N / 2; ++i)
            if (letters[i] != letters[N - 1 - i]) return false;
        return true;
    }
    /// Position constraints act at the end of each run of R and O: before the next V, and at the end of the step.
    constexpr bool constrain_positions_after(std::size_t i) const {
        if (letters[i] == 'V' || (i + 1 < N && letters[i + 1] != 'V')) return false;
        for (std::size_t k = i + 1; k-- > 0 && letters[k] != 'V';)
            if (letters[k] == 'R') return true;
        return false;
    }
    /// Velocity constraints act after a V unless only drifts follow up to the next position constraint, which removes
    /// the same component.
    constexpr bool constrain_velocities_after(std::size_t i) const {
        if (letters[i] != 'V') return false;
        for (std::size_t k = i + 1; k < N && letters[k] != 'V'; ++k)
            if (letters[k] == 'O') return true;
        return i + 1 == N || letters[i + 1] == 'V';
    }
    /// Time by which stored velocities lag behind the positions, in time steps: 1/2 for a leapfrog step (a single kick,
    /// at its start).
    constexpr double velocity_offset() const { return count('V') == 1 && letters[0] == 'V' ? 0.5 : 0; }
};

template <std::size_t M> Splitting(char const (&)[M]) -> Splitting<M / 2>;

}  // namespace trotter
