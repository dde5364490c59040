// How the pairs of an i cluster and a j cluster lie in registers.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/pair_list.hpp>
#include <trotter/cpu/simd.hpp>

namespace trotter::cpu {

/// A j cluster has `j_size` particles. One register holds a row of it for each of `rows` i particles (`rows` is 2 where
/// a register is twice as wide), or one of `parts` pieces of a row. `registers` hold the four rows of one part.
/// S. Páll and B. Hess, Comput. Phys. Commun. 184, 2641 (2013).
template <class Real, class Arch> struct Layout {
    using B = Batch<Real, Arch>;
    static constexpr int width = static_cast<int>(B::size);
    static constexpr int j_size = sizeof(Real) == 4 && width >= 8 ? 8 : 4;
    static constexpr int rows = width > j_size ? width / j_size : 1;
    static constexpr int parts = width < j_size ? j_size / width : 1;
    static constexpr int registers = i_size / rows;
    static_assert(rows <= 2);

    /// Register `k` of what i particles have: particle k, or particles 2k and 2k+1.
    [[gnu::always_inline]] static B load_i(Real const* p, int k) {
        if constexpr (rows == 1) return B(p[k]);
        else return join(p[2 * k], p[2 * k + 1]);
    }
    /// What the j particles have, once for each row.
    [[gnu::always_inline]] static B load_j(Real const* p, int part) {
#if defined(__x86_64__)
        if constexpr (rows == 2 && sizeof(Real) == 4) return _mm512_broadcast_f32x8(_mm256_load_ps(p));
        else if constexpr (rows == 2) return _mm512_broadcast_f64x4(_mm256_load_pd(p));
        else
#endif
            return B::load_aligned(p + part * width);
    }
    /// Adds the rows of `x` up and takes them from the j particles' `p`.
    [[gnu::always_inline]] static void subtract_j(Real* p, int part, B const& x) {
#if defined(__x86_64__)
        if constexpr (rows == 2 && sizeof(Real) == 4) {
            __m256 const folded = _mm256_add_ps(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps(x, 1));
            _mm256_store_ps(p, _mm256_sub_ps(_mm256_load_ps(p), folded));
        } else if constexpr (rows == 2) {
            __m256d const folded = _mm256_add_pd(_mm512_castpd512_pd256(x), _mm512_extractf64x4_pd(x, 1));
            _mm256_store_pd(p, _mm256_sub_pd(_mm256_load_pd(p), folded));
        } else
#endif
            (B::load_aligned(p + part * width) - x).store_aligned(p + part * width);
    }
    /// Adds the sum over each row of register `k` to its i particle's entry in `p`.
    [[gnu::always_inline]] static void add_i(Real* p, int k, B const& x) {
        if constexpr (rows == 1) p[k] += sum<Real, Arch>(x);
        else {
            alignas(64) Real lanes[width];
            x.store_aligned(lanes);
            for (int row = 0; row < 2; ++row) {
                Real const* const r = lanes + row * j_size;
                Real total = (r[0] + r[1]) + (r[2] + r[3]);
                if constexpr (j_size == 8) total += (r[4] + r[5]) + (r[6] + r[7]);
                p[2 * k + row] += total;
            }
        }
    }
    /// The lanes of register `k` and part `part` in a pair mask, whose bit i·j_size + j is that of i with j.
    [[gnu::always_inline]] static Mask<Real, Arch> mask(std::uint32_t bits, int k, int part) {
        return mask_of<Real, Arch>(bits >> (k * rows * j_size + part * width) & ((1u << width) - 1u));
    }

private:
    [[gnu::always_inline]] static B join(Real low, Real high) {
#if defined(__x86_64__)
        if constexpr (sizeof(Real) == 4) return _mm512_insertf32x8(_mm512_set1_ps(low), _mm256_set1_ps(high), 1);
        else return _mm512_insertf64x4(_mm512_set1_pd(low), _mm256_set1_pd(high), 1);
#else
        static_assert(rows == 1);
        return B(low + high);
#endif
    }
};

}  // namespace trotter::cpu
