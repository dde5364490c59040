// Vectors of four numbers: a particle's record, or one number of each of four particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstring>

#include <trotter/cpu/neighbor_list/pair_list.hpp>

namespace trotter::cpu {

/// Operations on four numbers.
template <class Real> struct FourOf {
    using Type [[gnu::vector_size(4 * sizeof(Real))]] = Real;

    [[gnu::always_inline]] static Type load(Real const* p) {
        Type four;
        std::memcpy(&four, p, sizeof four);
        return four;
    }
    /// Steps as signed numbers.
    [[gnu::always_inline]] static Type of(Steps const& steps) {
        return __builtin_convertvector((SignedSteps)steps, Type);
    }
    [[gnu::always_inline]] static void store(Real* p, Type const& four) { std::memcpy(p, &four, sizeof four); }
    [[gnu::always_inline]] static void add(Real* p, Type const& four) { store(p, load(p) + four); }

    /// Transposes records to columns, and vice versa.
    [[gnu::always_inline]] static void transpose(Type (&rows)[4]) {
        Type const low0 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5),
                   high0 = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7),
                   low1 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5),
                   high1 = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
        rows[0] = __builtin_shufflevector(low0, low1, 0, 1, 4, 5);
        rows[1] = __builtin_shufflevector(low0, low1, 2, 3, 6, 7);
        rows[2] = __builtin_shufflevector(high0, high1, 0, 1, 4, 5);
        rows[3] = __builtin_shufflevector(high0, high1, 2, 3, 6, 7);
    }
    /// Loads four records, `stride` numbers apart, as columns.
    [[gnu::always_inline]] static void load_rows(Real const* p, std::ptrdiff_t stride, Type (&rows)[4]) {
        for (int n = 0; n < 4; ++n) rows[n] = load(p + n * stride);
        transpose(rows);
    }
};
template <class Real> using Four = typename FourOf<Real>::Type;

}  // namespace trotter::cpu
