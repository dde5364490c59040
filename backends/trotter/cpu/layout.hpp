// How the pairs of an i cluster and a j cluster lie in registers.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/pack.hpp>
#include <trotter/cpu/pair_list.hpp>

namespace trotter::cpu {

/// One register holds a row of j particles for each of `rows` i particles, or one of `parts` pieces of a row.
/// `registers` hold the four rows of one part. S. Páll and B. Hess, Comput. Phys. Commun. 184, 2641 (2013).
template <class Real, class Arch> struct Layout {
    using B = Batch<Real, Arch>;
    static constexpr int width = static_cast<int>(B::size);
    static constexpr int rows = width > cluster_size ? width / cluster_size : 1;
    static constexpr int parts = width < cluster_size ? cluster_size / width : 1;
    static constexpr int registers = cluster_size / rows;
    static_assert(rows <= 4);

    /// Register `k` of what the i particles have: each number as often as a row is long.
    [[gnu::always_inline]] static B load_i(Real const* p, int k) {
        if constexpr (rows == 1) return B(p[k]);
#if defined(__x86_64__)
        if constexpr (rows == 4) {
            __m512i const rows_of_lanes = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
            return _mm512_permutexvar_ps(rows_of_lanes, _mm512_castps128_ps512(_mm_load_ps(p)));
        }
#endif
        alignas(64) Real lanes[width];
        for (int n = 0; n < width; ++n) lanes[n] = p[k * rows + n / cluster_size];
        return B::load_aligned(lanes);
    }
    /// What the j particles have, once for each row.
    [[gnu::always_inline]] static B load_j(Real const* p, int part) {
#if defined(__x86_64__)
        if constexpr (rows == 4)
            return _mm512_broadcast_f32x4(_mm_load_ps(p));
        else if constexpr (rows == 2 && sizeof(Real) == 4)
            return _mm256_broadcast_ps(reinterpret_cast<__m128 const*>(p));
        else if constexpr (rows == 2)
            return _mm512_broadcast_f64x4(_mm256_load_pd(p));
        else
#endif
            return B::load_aligned(p + part * width);
    }
    /// The reference of cluster `j` relative to `base`; nothing in double.
    [[gnu::always_inline]] static ReferencePoint<Real> reference_of(ClusterView<Real> const& clusters, std::ptrdiff_t j,
                                                                    ReferencePoint<Real> const& base) {
        ReferencePoint<Real> result;
        if constexpr (sizeof(Real) == 8) return result;
#if defined(__x86_64__)
        if constexpr (sizeof(Real) == 4) {
            _mm_store_ps(result.x, _mm_sub_ps(_mm_loadu_ps(clusters.references + 3 * j), _mm_load_ps(base.x)));
            // Processors fill a register with one number from memory at no cost, but not from another register.
            asm("" : "+m"(result.x));
            return result;
        }
#endif
        for (int axis = 0; axis < 3; ++axis) result.x[axis] = clusters.references[3 * j + axis] - base.x[axis];
        return result;
    }
    /// The j particles' coordinates once for each row, relative to the point that `reference` is relative to.
    [[gnu::always_inline]] static B coordinates_of_j(ClusterView<Real> const& clusters, std::ptrdiff_t j, int axis,
                                                     int part, ReferencePoint<Real> const& reference) {
        Real const* const p = clusters.coordinates_of(j, axis);
        if constexpr (sizeof(Real) == 8) return load_j(p, part);
#if defined(__x86_64__)
        else if constexpr (rows > 1) {
            __m128 const x = _mm_add_ps(_mm_load_ps(p), _mm_set1_ps(reference.x[axis]));
            if constexpr (rows == 4)
                return _mm512_broadcast_f32x4(x);
            else
                return _mm256_set_m128(x, x);
        }
#endif
        else
            return load_j(p, part) + B(reference.x[axis]);
    }
    /// Adds the sum of the rows of `x` to the j particles' entries in `p`.
    [[gnu::always_inline]] static void add_j(Real* p, int part, B const& x) {
#if defined(__x86_64__)
        if constexpr (rows > 1 && sizeof(Real) == 4)
            add_to(p, folded(two_rows(x)));
        else if constexpr (rows == 2)
            _mm256_store_pd(p, _mm256_add_pd(_mm256_load_pd(p), folded(x)));
        else
#endif
            (B::load_aligned(p + part * width) + x).store_aligned(p + part * width);
    }
    /// The same for the three components of vectors, whose planes follow each other.
    [[gnu::always_inline]] static void add_vectors_j(Real* p, int part, B const (&x)[3]) {
#if defined(__x86_64__)
        if constexpr (rows > 1 && sizeof(Real) == 4) {
            __m256 const a = two_rows(x[0]), b = two_rows(x[1]);
            __m256 const both = _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
            _mm256_storeu_ps(p, _mm256_add_ps(_mm256_loadu_ps(p), both));
            add_to(p + 2 * cluster_size, folded(two_rows(x[2])));
        } else
#endif
            unroll<3>([&](auto axis) __attribute__((always_inline)) { add_j(p + axis * cluster_size, part, x[axis]); });
    }
    /// Adds the sums over the rows of all registers to the i particles' entries in `p`.
    template <class Registers> [[gnu::always_inline]] static void add_i(Real* p, Registers const& registers_of) {
        unroll<registers>([&](auto k) __attribute__((always_inline)) {
            B const x = registers_of(k);
            if constexpr (rows == 1)
                p[k] += sum<Real, Arch>(x);
#if defined(__x86_64__)
            else if constexpr (rows == 4) {
                __m512 const pairs = _mm512_add_ps(x, _mm512_permute_ps(x, 0xB1)),
                             fours = _mm512_add_ps(pairs, _mm512_permute_ps(pairs, 0x4E));
                __m512i const first = _mm512_castsi128_si512(_mm_setr_epi32(0, 4, 8, 12));
                _mm_store_ps(p,
                             _mm_add_ps(_mm_load_ps(p), _mm512_castps512_ps128(_mm512_permutexvar_ps(first, fours))));
            } else if constexpr (sizeof(Real) == 4) {
                __m256 const halves = _mm256_hadd_ps(x, x), fours = _mm256_hadd_ps(halves, halves);
                p[2 * k] += _mm256_cvtss_f32(fours);
                p[2 * k + 1] += _mm_cvtss_f32(_mm256_extractf128_ps(fours, 1));
            } else {
                p[2 * k] += _mm512_mask_reduce_add_pd(0x0F, x);
                p[2 * k + 1] += _mm512_mask_reduce_add_pd(0xF0, x);
            }
#endif
        });
    }
    /// The lanes of register `k` and part `part` in a pair mask, whose bit 4i + j is that of i with j.
    [[gnu::always_inline]] static Mask<Real, Arch> mask(std::uint32_t bits, int k, int part) {
        return mask_of<Real, Arch>(bits >> (k * rows * cluster_size + part * width) & ((1u << width) - 1u));
    }

private:
#if defined(__x86_64__)
    /// Four rows become two, and two become one.
    [[gnu::always_inline]] static __m256 two_rows(B const& x) requires(sizeof(Real) == 4 && rows > 1) {
        if constexpr (rows == 4)
            return _mm256_add_ps(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps(x, 1));
        else
            return x;
    }
    [[gnu::always_inline]] static __m128 folded(__m256 const& x) {
        return _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    }
    [[gnu::always_inline]] static __m256d folded(B const& x) requires(sizeof(Real) == 8 && rows == 2) {
        return _mm256_add_pd(_mm512_castpd512_pd256(x), _mm512_extractf64x4_pd(x, 1));
    }
    [[gnu::always_inline]] static void add_to(Real* p, __m128 const& x) {
        _mm_store_ps(p, _mm_add_ps(_mm_load_ps(p), x));
    }
#endif
};

}  // namespace trotter::cpu
