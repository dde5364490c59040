// Integrators as Trotter products: which letters act in which order, and what follows from that.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace trotter {

/// A product such as "V R O R": V kicks the velocities with the forces, R drifts the positions, O is the exact
/// Ornstein-Uhlenbeck step of the velocities. Letters act from left to right; each of n equal letters stands for
/// 1/n of the time step. Everything an integrator kernel has to know follows at compile time.
template <std::size_t N> struct Splitting {
    std::array<char, N> letters{};

    consteval Splitting(char const (&text)[2 * N]) {
        for (std::size_t i = 0; i < N; ++i) {
            char const letter = text[2 * i];
            if (letter != 'V' && letter != 'R' && letter != 'O') throw "a splitting is made of the letters V, R and O";
            if (i + 1 < N && text[2 * i + 1] != ' ') throw "the letters of a splitting are separated by one blank";
            letters[i] = letter;
        }
        if (count('V') == 0 || count('R') == 0) throw "a splitting needs at least one V and one R";
    }

    constexpr std::size_t count(char letter) const {
        std::size_t n = 0;
        for (char l : letters) n += l == letter;
        return n;
    }
    /// The share of the time step that one such letter stands for.
    constexpr double share(char letter) const { return 1.0 / static_cast<double>(count(letter)); }

    constexpr bool is_stochastic() const { return count('O') > 0; }
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
    /// Whether a V needs forces at positions that moved since the step began.
    constexpr bool needs_new_forces(std::size_t i) const {
        if (letters[i] != 'V') return false;
        for (std::size_t k = i; k-- > 0 && letters[k] != 'V';)
            if (letters[k] == 'R') return true;
        return false;
    }
    /// Whether a step begins with the forces with which the last one ended: positions move between V's only.
    constexpr bool begins_with_last_forces() const {
        std::size_t first = 0, last = N - 1;
        while (letters[first] == 'O') ++first;
        while (letters[last] == 'O') --last;
        return letters[first] == 'V' && letters[last] == 'V';
    }
    /// The time by which stored velocities lag behind the positions, in time steps: 1/2 for a leapfrog step that ends
    /// with the drift that its only kick began.
    constexpr double velocity_offset() const { return count('V') == 1 && letters[0] == 'V' ? 0.5 : 0; }
};

template <std::size_t M> Splitting(char const (&)[M]) -> Splitting<M / 2>;

}  // namespace trotter
