// Appends the kept ones of four clusters, or of their particles, to a list.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstring>

#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/simd/simd.hpp>

namespace trotter::cpu {

/// Returns the bits of a comparison: bit n is lane n.
template <class Arch> [[gnu::always_inline]] inline std::uint32_t bits_of(Mask<float, Arch> const& mask) {
#if defined(__AVX__)
    if constexpr (has_avx512<Arch>)
        return static_cast<typename Mask<float, Arch>::register_type>(mask);
    else if constexpr (has_avx<Arch>)
        return static_cast<std::uint32_t>(_mm256_movemask_ps(mask));
    else
#endif
#if defined(__SSE2__)
        return static_cast<std::uint32_t>(_mm_movemask_ps(mask));
#else
    alignas(64) float lanes[Batch<float, Arch>::size];
    xsimd::select(mask, Batch<float, Arch>(1.0f), Batch<float, Arch>(0.0f)).store_aligned(lanes);
    std::uint32_t bits = 0;
    for (std::size_t n = 0; n < Batch<float, Arch>::size; ++n) bits |= (lanes[n] != 0 ? 1u : 0u) << n;
    return bits;
#endif
}

/// For each 4-bit mask, the indices of the set bits, as byte shuffles of four integers.
struct BitOrder {
    alignas(16) std::uint8_t bytes[16][16] = {};

    constexpr BitOrder() {
        for (int bits = 0; bits < 16; ++bits)
            for (int n = 0, kept = 0; n < 4; ++n)
                if (bits >> n & 1) {
                    for (int byte = 0; byte < 4; ++byte)
                        bytes[bits][4 * kept + byte] = static_cast<std::uint8_t>(4 * n + byte);
                    ++kept;
                }
    }
};

/// For each 8-bit mask, the indices of the set bits.
struct EightBitOrder {
    alignas(64) std::uint8_t numbers[256][8] = {};

    constexpr EightBitOrder() {
        for (int bits = 0; bits < 256; ++bits)
            for (int n = 0, kept = 0; n < 8; ++n)
                if (bits >> n & 1) numbers[bits][kept++] = static_cast<std::uint8_t>(n);
    }
};

/// Four consecutive clusters of a list.
template <class Arch> struct FourClusters {
    std::int32_t const* clusters;
    /// Bit mask of the slots of clusters in the list; bit 4j + n is particle j of cluster n.
    std::uint32_t listed;

    [[gnu::always_inline]] FourClusters(std::int32_t const* first, int left)
        : clusters(first), listed(left < 4 ? ((1u << left) - 1u) * 0x1111u : 0xFFFFu) {}

    /// Returns the clusters with any of these slots, one bit each.
    [[gnu::always_inline]] static std::uint32_t with_any(std::uint32_t slots) {
        std::uint32_t const two = slots | slots >> 8;
        return (two | two >> 4) & 0xFu;
    }

    /// Appends the clusters of these bits to a list and returns its end; up to four entries beyond it may be written.
    [[gnu::always_inline]] std::int32_t* put_clusters(std::uint32_t bits, std::int32_t* to) const {
        return put(bits, load(), to);
    }
    /// The same for slots; up to sixteen entries beyond.
    [[gnu::always_inline]] std::int32_t* put_slots(std::uint32_t bits, std::int32_t* to) const {
        Integers const first = load() * cluster_size;
#if defined(__AVX__)
        if constexpr (has_avx512<Arch>) {
            __m512i const j = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
                          slots = _mm512_add_epi32(_mm512_broadcast_i32x4((__m128i)first), j);
            _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), slots));
            return to + __builtin_popcount(bits);
        } else if constexpr (has_avx2<Arch>) {
            __m256i const all = _mm256_broadcastsi128_si256((__m128i)first);
            to = put(bits & 0xFFu, _mm256_add_epi32(all, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1)), to);
            return put(bits >> 8, _mm256_add_epi32(all, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3)), to);
        }
#endif
        for (int j = 0; j < cluster_size; ++j) to = put(bits >> 4 * j & 0xFu, first + j, to);
        return to;
    }

private:
    using Integers [[gnu::vector_size(4 * sizeof(std::int32_t))]] = std::int32_t;
    static constexpr BitOrder order{};
    static constexpr EightBitOrder order_of_eight{};

    [[gnu::always_inline]] Integers load() const {
        Integers result;
        std::memcpy(&result, clusters, sizeof result);
        return result;
    }
    [[gnu::always_inline]] static std::int32_t* put(std::uint32_t bits, Integers const& numbers, std::int32_t* to) {
#if defined(__AVX__)
        if constexpr (has_avx512<Arch>) {
            __m512i const kept =
                _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), _mm512_castsi128_si512((__m128i)numbers));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_castsi512_si128(kept));
            return to + __builtin_popcount(bits);
        } else
#endif
#if defined(__SSSE3__)
            if constexpr (has_ssse3<Arch>) {
            __m128i const slots = _mm_load_si128(reinterpret_cast<__m128i const*>(order.bytes[bits]));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8((__m128i)numbers, slots));
            return to + __builtin_popcount(bits);
        } else
#endif
        {
            for (int n = 0; n < 4; ++n) {
                *to = numbers[n];
                to += bits >> n & 1u;
            }
            return to;
        }
    }
#if defined(__AVX__)
    [[gnu::always_inline]] static std::int32_t* put(std::uint32_t bits, __m256i numbers, std::int32_t* to) {
        __m128i const kept = _mm_loadl_epi64(reinterpret_cast<__m128i const*>(order_of_eight.numbers[bits]));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                            _mm256_permutevar8x32_epi32(numbers, _mm256_cvtepu8_epi32(kept)));
        return to + __builtin_popcount(bits);
    }
#endif
};

}  // namespace trotter::cpu
