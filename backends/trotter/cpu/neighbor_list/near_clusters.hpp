// Finds near clusters by their bounds, for list builds.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <trotter/cpu/neighbor_list/four_clusters.hpp>
#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/simd/simd.hpp>

namespace trotter::cpu {

/// Finds clusters whose bounds are within √radius2 of the box from `low` to `high`; returns how many. `found` has
/// room for 16 more than there can be.
template <class Arch> inline int find_near(BoundsView const& bounds, ClusterRange const* ranges, int range_count,
                                           float const* low, float const* high, float radius2, std::int32_t* found) {
    using B = Batch<float, Arch>;
    constexpr int width = static_cast<int>(B::size);
    int count = 0;
    for (int r = 0; r < range_count; ++r)
        for (int first = ranges[r].first; first < ranges[r].last; first += width) {
            B distance2(0.0f);
            unroll<3>([&](auto axis) __attribute__((always_inline)) {
                B const below = B(low[axis]) - B::load_unaligned(bounds.upper[axis] + first);
                B const above = B::load_unaligned(bounds.lower[axis] + first) - B(high[axis]);
                B const d = xsimd::max(B(0.0f), xsimd::max(below, above));
                distance2 = multiply_add(d, d, distance2);
            });
            std::uint32_t bits = bits_of<Arch>(distance2 <= B(radius2));
            if (int const rest = ranges[r].last - first; rest < width) bits &= (1u << rest) - 1u;
#if defined(__AVX__)
            if constexpr (has_avx512<Arch>) {
                __m512i const steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
                __m512i const clusters = _mm512_add_epi32(_mm512_set1_epi32(first), steps);
                _mm512_storeu_si512(found + count, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), clusters));
                count += __builtin_popcount(bits);
                continue;
            }
#endif
            for (; bits != 0; bits &= bits - 1) found[count++] = first + __builtin_ctz(bits);
        }
    return count;
}

}  // namespace trotter::cpu
