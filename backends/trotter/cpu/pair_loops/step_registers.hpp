// Points as integer steps in registers: differences, and parameter lookup by the types in their lowest bits.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <type_traits>

#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/simd/simd.hpp>

namespace trotter::cpu {

template <class Real, class Arch> struct StepRegisters {
    using B = Batch<Real, Arch>;
    using Register = typename B::register_type;
    using Numbers [[gnu::vector_size(sizeof(Register))]] = Real;
    static constexpr int width = static_cast<int>(B::size);

    /// The bits of numbers as integers.
    using Integers [[gnu::vector_size(sizeof(Register))]] = Word<Real>;
    [[gnu::always_inline]] static Integers integers(B const& bits) { return (Integers)(Register)bits; }
    /// Differences of integers, which wrap around, from `base`.
    [[gnu::always_inline]] static B numbers(Integers const& steps, std::uint32_t base) {
        using Unsigned [[gnu::vector_size(sizeof(Register))]] = std::make_unsigned_t<Word<Real>>;
        return (Register) __builtin_convertvector((Integers)((Unsigned)steps - base), Numbers);
    }
    /// The largest table from whose registers entries are selected faster than they are loaded from memory.
    static constexpr int most_in_table =
        sizeof(Real) != 4 ? 0 : has_avx512<Arch> ? max_types : has_avx2<Arch> ? 2 * width : 0;
    /// Looks up entries of a table, which has no more than `most_in_table`.
    [[gnu::always_inline]] static B of_table([[maybe_unused]] Real const* table,
                                                [[maybe_unused]] Integers const& places) {
#if defined(__AVX__)
        if constexpr (most_in_table > 0 && has_avx512<Arch>) {
            static_assert(most_in_table == 64);
            __m512i const at = (__m512i)places;
            auto const in_half = [&](int half) __attribute__((always_inline)) {
                return _mm512_permutex2var_ps(_mm512_load_ps(table + 32 * half), at,
                                              _mm512_load_ps(table + 32 * half + 16));
            };
            return _mm512_mask_blend_ps(_mm512_test_epi32_mask(at, _mm512_set1_epi32(32)), in_half(0), in_half(1));
        } else if constexpr (most_in_table > 0) {
            static_assert(most_in_table == 16);
            __m256i const at = (__m256i)places;
            __m256 const low = _mm256_permutevar8x32_ps(_mm256_load_ps(table), at),
                         high = _mm256_permutevar8x32_ps(_mm256_load_ps(table + 8), at);
            return _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(at, 28)));
        } else
#endif
            return B(Real(0));
    }
};

}  // namespace trotter::cpu
