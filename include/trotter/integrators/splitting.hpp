// Integrators as operator splittings (Trotter products).
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

namespace trotter {

/// What is wrong with the text of a splitting: a Context tells of it when it is compiled.
enum class SplittingError { none, letter, one_letter_missing, blank, parenthesis, number, length };

/// A product such as "V R O R": V kicks the velocities with the forces, R drifts the positions, O is the exact
/// Ornstein-Uhlenbeck step of the velocities. Letters act from left to right; each of n equal letters stands for
/// 1/n of the time step. Everything an integrator kernel has to know follows at compile time.
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

    /// Of a part of another one, which may lack letters.
    constexpr explicit Splitting(std::array<char, N> const& part) : letters(part) {}
    /// Operators `first` to `end` - 1.
    template <std::size_t first, std::size_t end> constexpr Splitting<end - first> part() const {
        std::array<char, end - first> result{};
        for (std::size_t i = first; i < end; ++i) result[i - first] = letters[i];
        return Splitting<end - first>(result);
    }

    /// How often an operator occurs.
    constexpr std::size_t count(char letter) const {
        std::size_t n = 0;
        for (char l : letters) n += l == letter;
        return n;
    }
    /// The share of the time step that one such letter stands for.
    constexpr double share(char letter) const { return count(letter) == 0 ? 0 : 1.0 / static_cast<double>(count(letter)); }

    /// Whether any O occurs, which needs a temperature.
    constexpr bool is_stochastic() const { return count('O') > 0; }
    /// Whether the product reads the same backwards, as a time-reversible one does.
    constexpr bool is_symmetric() const {
        for (std::size_t i = 0; i < N / 2; ++i)
            if (letters[i] != letters[N - 1 - i]) return false;
        return true;
    }
    /// Position constraints act where a run of R and O ends: before a V that follows it, and at the end of the step.
    constexpr bool constrain_positions_after(std::size_t i) const {
        if (letters[i] == 'V' || (i + 1 < N && letters[i + 1] != 'V')) return false;
        for (std::size_t k = i + 1; k-- > 0 && letters[k] != 'V';)
            if (letters[k] == 'R') return true;
        return false;
    }
    /// Velocity constraints act after a V unless nothing but drifts follow it up to the next position constraint:
    /// that one removes the same component.
    constexpr bool constrain_velocities_after(std::size_t i) const {
        if (letters[i] != 'V') return false;
        for (std::size_t k = i + 1; k < N && letters[k] != 'V'; ++k)
            if (letters[k] == 'O') return true;
        return i + 1 == N || letters[i + 1] == 'V';
    }
    /// The time by which stored velocities lag behind the positions, in time steps: 1/2 for a leapfrog step that ends
    /// with the drift that its only kick began.
    constexpr double velocity_offset() const { return count('V') == 1 && letters[0] == 'V' ? 0.5 : 0; }
};

template <std::size_t M> Splitting(char const (&)[M]) -> Splitting<M / 2>;

}  // namespace trotter
