// Square blocks of numbers in registers.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/simd/simd.hpp>

namespace trotter::cpu {

/// As many registers as each has lanes.
template <class Real, class Arch> struct SquareBlock {
    using B = Batch<Real, Arch>;
    static constexpr int width = static_cast<int>(B::size);
    B rows[B::size];

    /// Each interleaving of register n with n + width/2 rotates the bits of a number's register and lane by one.
    [[gnu::always_inline]] void transpose() {
        for (int step = 1; step < width; step *= 2) {
            B next[width];
            unroll<width / 2>([&](auto n) __attribute__((always_inline)) {
                next[2 * n] = interleaved<0>(rows[n], rows[n + width / 2], std::make_index_sequence<B::size>());
                next[2 * n + 1] =
                    interleaved<width / 2>(rows[n], rows[n + width / 2], std::make_index_sequence<B::size>());
            });
            unroll<width>([&](auto n) __attribute__((always_inline)) { rows[n] = next[n]; });
        }
    }

private:
    using Register = typename B::register_type;
    using Numbers [[gnu::vector_size(sizeof(Register))]] = Real;

    /// Interleaves the numbers of both from `first` on.
    template <int first, std::size_t... n>
    [[gnu::always_inline]] static B interleaved(B const& a, B const& b, std::index_sequence<n...>) {
        return (Register)__builtin_shufflevector(
            (Numbers)(Register)a, (Numbers)(Register)b,
            (first + static_cast<int>(n) / 2 + static_cast<int>(n) % 2 * width)...);
    }
};

}  // namespace trotter::cpu
