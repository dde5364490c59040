// A thin layer over xsimd: differences between its releases, and additions for the pair loops.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <trotter/common/simd/unroll.hpp>
#include <trotter/cpu/simd/xsimd.hpp>

namespace trotter::cpu {

template <class Real, class Arch> using Batch = xsimd::batch<Real, Arch>;
template <class Real, class Arch> using Mask = xsimd::batch_bool<Real, Arch>;

/// Whether an instruction set has these instructions. xsimd's AVX-512 does not derive from AVX2.
template <class Arch> inline constexpr bool has_avx512 = std::is_base_of_v<xsimd::avx512f, Arch>;
template <class Arch> inline constexpr bool has_avx2 = has_avx512<Arch> || std::is_base_of_v<xsimd::avx2, Arch>;
template <class Arch> inline constexpr bool has_avx = has_avx512<Arch> || std::is_base_of_v<xsimd::avx, Arch>;
template <class Arch> inline constexpr bool has_ssse3 = has_avx<Arch> || std::is_base_of_v<xsimd::ssse3, Arch>;
template <class Arch> inline constexpr bool has_sse = has_avx<Arch> || std::is_base_of_v<xsimd::sse2, Arch>;

/// Flushes denormal results to 0 while it exists: those of distant and padding particles would take a hundred times as
/// long.
template <class Arch> class FlushToZero {
public:
    FlushToZero(FlushToZero const&) = delete;
#if defined(__SSE2__)
    [[gnu::always_inline]] FlushToZero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | flush_to_zero); }
    [[gnu::always_inline]] ~FlushToZero() { _mm_setcsr(before_); }

private:
    static constexpr unsigned flush_to_zero = 1u << 15;
    unsigned before_;
#else
    FlushToZero() {}
#endif
};

/// The sum of all lanes.
template <class Real, class Arch> [[gnu::always_inline]] inline Real sum(Batch<Real, Arch> const& x) {
    if constexpr (requires { reduce_add(x); })
        return reduce_add(x);
    else
        return hadd(x);
}

/// a b + c, rounded once where the hardware can. (xsimd 8.1 rounds twice with AVX-512.)
template <class Real, class Arch>
[[gnu::always_inline]] inline Batch<Real, Arch> multiply_add(Batch<Real, Arch> const& a, Batch<Real, Arch> const& b,
                                                             Batch<Real, Arch> const& c) {
#if defined(__AVX__)
    if constexpr (has_avx512<Arch> && sizeof(Real) == 4)
        return _mm512_fmadd_ps(a, b, c);
    else if constexpr (has_avx512<Arch>)
        return _mm512_fmadd_pd(a, b, c);
    else
#endif
        return xsimd::fma(a, b, c);
}
/// a b - c
template <class Real, class Arch>
[[gnu::always_inline]] inline Batch<Real, Arch> multiply_subtract(Batch<Real, Arch> const& a,
                                                                  Batch<Real, Arch> const& b,
                                                                  Batch<Real, Arch> const& c) {
#if defined(__AVX__)
    if constexpr (has_avx512<Arch> && sizeof(Real) == 4)
        return _mm512_fmsub_ps(a, b, c);
    else if constexpr (has_avx512<Arch>)
        return _mm512_fmsub_pd(a, b, c);
    else
#endif
        return xsimd::fms(a, b, c);
}

/// c - a b
template <class Real, class Arch>
[[gnu::always_inline]] inline Batch<Real, Arch> subtract_product(Batch<Real, Arch> const& c, Batch<Real, Arch> const& a,
                                                                 Batch<Real, Arch> const& b) {
#if defined(__AVX__)
    if constexpr (has_avx512<Arch> && sizeof(Real) == 4)
        return _mm512_fnmadd_ps(a, b, c);
    else if constexpr (has_avx512<Arch>)
        return _mm512_fnmadd_pd(a, b, c);
    else
#endif
        return xsimd::fnma(a, b, c);
}

/// An integer as wide as a number.
template <class Real> using Word = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;

/// x/2 for normal x: decrements the exponent by an integer addition, which leaves the multipliers free.
template <class Real, class Arch> [[gnu::always_inline]] inline Batch<Real, Arch> halved(Batch<Real, Arch> const& x) {
    using Register = typename Batch<Real, Arch>::register_type;
    using Words [[gnu::vector_size(sizeof(Register))]] = Word<Real>;
    constexpr Word<Real> one = Word<Real>{1} << (sizeof(Real) == 4 ? 23 : 52);
    return (Register)((Words)(Register)x - one);
}

/// The hardware's estimate of 1/√x: 14 bits with AVX-512, 11 with SSE and AVX; unavailable for other types.
template <class Real, class Arch>
[[gnu::always_inline]] inline Batch<Real, Arch> estimated_rsqrt(Batch<Real, Arch> const& x) {
#if defined(__AVX__)
    if constexpr (has_avx512<Arch> && sizeof(Real) == 4)
        return _mm512_rsqrt14_ps(x);
    else if constexpr (has_avx512<Arch>)
        return _mm512_rsqrt14_pd(x);
    else if constexpr (has_avx<Arch>)
        return _mm256_rsqrt_ps(x);
    else
#endif
#if defined(__SSE2__)
        return _mm_rsqrt_ps(x);
#endif
}
// In double, the divider, which runs in parallel with the multipliers, is faster than a float estimate with steps of
// third and second order.
template <class Real, class Arch>
inline constexpr bool has_rsqrt_estimate = has_avx512<Arch> || (sizeof(Real) == 4 && has_sse<Arch>);

/// a where it is smaller than b, otherwise b, also where one is NaN.
template <class Real, class Arch>
[[gnu::always_inline]] inline Batch<Real, Arch> lesser_of(Batch<Real, Arch> const& a, Batch<Real, Arch> const& b) {
    if constexpr (has_sse<Arch>)
        return xsimd::min(a, b);
    else
        return xsimd::select(a < b, a, b);
}

/// `x` where the mask is set, otherwise 0, whatever `x` is there.
template <class Real, class Arch>
[[gnu::always_inline]] inline Batch<Real, Arch> kept(Mask<Real, Arch> const& mask, Batch<Real, Arch> const& x) {
#if defined(__AVX__)
    if constexpr (has_avx<Arch> && !has_avx512<Arch> && sizeof(Real) == 4)
        return _mm256_and_ps(mask, x);
    else if constexpr (has_avx<Arch> && !has_avx512<Arch>)
        return _mm256_and_pd(mask, x);
    else
#endif
        return xsimd::select(mask, x, Batch<Real, Arch>(Real(0)));
}

/// Gathers `numbers` at the integers `places`, none of which may be negative or beyond 2^31.
template <class Arch>
[[gnu::always_inline]] inline Batch<double, Arch> gather(double const* numbers, Batch<double, Arch> const& places) {
#if defined(__AVX__)
    if constexpr (has_avx512<Arch>)
        return _mm512_i32gather_pd(_mm512_cvttpd_epi32(places), numbers, 8);
    else if constexpr (has_avx2<Arch>)
        return _mm256_i32gather_pd(numbers, _mm256_cvttpd_epi32(places), 8);
    else
#endif
    {
        alignas(64) double lanes[Batch<double, Arch>::size];
        places.store_aligned(lanes);
        for (double& lane : lanes) lane = numbers[static_cast<std::int32_t>(lane)];
        return Batch<double, Arch>::load_aligned(lanes);
    }
}

/// Loads as many numbers as a register of doubles has.
template <class Arch> [[gnu::always_inline]] inline Batch<double, Arch> load_doubles(double const* p) {
    return Batch<double, Arch>::load_aligned(p);
}
template <class Arch> [[gnu::always_inline]] inline Batch<double, Arch> load_doubles(float const* p) {
#if defined(__AVX__)
    if constexpr (has_avx512<Arch>)
        return _mm512_cvtps_pd(_mm256_load_ps(p));
    else if constexpr (has_avx<Arch>)
        return _mm256_cvtps_pd(_mm_load_ps(p));
    else
#endif
    {
        alignas(64) double lanes[Batch<double, Arch>::size];
        for (double& lane : lanes) lane = static_cast<double>(*p++);
        return Batch<double, Arch>::load_aligned(lanes);
    }
}
template <class Arch> [[gnu::always_inline]] inline void store_doubles(Batch<double, Arch> const& x, double* p) {
    x.store_aligned(p);
}
template <class Arch> [[gnu::always_inline]] inline void store_doubles(Batch<double, Arch> const& x, float* p) {
#if defined(__AVX__)
    if constexpr (has_avx512<Arch>)
        _mm256_store_ps(p, _mm512_cvtpd_ps(x));
    else if constexpr (has_avx<Arch>)
        _mm_store_ps(p, _mm256_cvtpd_ps(x));
    else
#endif
    {
        alignas(64) double lanes[Batch<double, Arch>::size];
        x.store_aligned(lanes);
        for (double const lane : lanes) *p++ = static_cast<float>(lane);
    }
}

/// Lane n is set where word n has any of the bits.
template <class Real, class Arch>
[[gnu::always_inline]] inline Mask<Real, Arch> lanes_with(Word<Real> const* words, Word<Real> bits) {
#if defined(__AVX__)
    if constexpr (has_avx512<Arch>) {
        __m512i const all = _mm512_load_si512(words);
        if constexpr (sizeof(Real) == 4)
            return Mask<Real, Arch>(_mm512_test_epi32_mask(all, _mm512_set1_epi32(bits)));
        else
            return Mask<Real, Arch>(_mm512_test_epi64_mask(all, _mm512_set1_epi64(bits)));
    } else
#endif
    {
        using Register = typename Mask<Real, Arch>::register_type;
        using Words [[gnu::vector_size(sizeof(Register))]] = Word<Real>;
        Words all;
        std::memcpy(&all, words, sizeof all);
        return Mask<Real, Arch>((Register)((all & bits) != 0));
    }
}

/// Lanes begin … end-1 are set.
template <class Real, class Arch> [[gnu::always_inline]] inline Mask<Real, Arch> lanes_between(int begin, int end) {
    constexpr int width = static_cast<int>(Batch<Real, Arch>::size);
    if constexpr (has_avx512<Arch>) {
        return Mask<Real, Arch>(static_cast<typename Mask<Real, Arch>::register_type>((1u << end) - (1u << begin)));
    } else {
        using Register = typename Mask<Real, Arch>::register_type;
        using Words [[gnu::vector_size(sizeof(Register))]] = Word<Real>;
        struct Border {
            Word<Real> words[2 * width];
            constexpr Border() : words{} {
                for (int n = width; n < 2 * width; ++n) words[n] = -1;
            }
        };
        static constexpr Border border{};
        Words from, behind;
        std::memcpy(&from, border.words + width - begin, sizeof from);
        std::memcpy(&behind, border.words + width - end, sizeof behind);
        return Mask<Real, Arch>((Register)(from & ~behind));
    }
}

/// A mask as JIT code reads it, see JitPairLayout.
template <class Real, class Arch> struct alignas(has_avx512<Arch> ? 2 : sizeof(Batch<Real, Arch>)) StoredMask {
    unsigned char bytes[has_avx512<Arch> ? 2 : sizeof(Batch<Real, Arch>)];

    [[gnu::always_inline]] void set(Mask<Real, Arch> const& mask) {
        if constexpr (has_avx512<Arch>) {
            auto const bits = static_cast<std::uint16_t>(static_cast<typename Mask<Real, Arch>::register_type>(mask));
            std::memcpy(bytes, &bits, sizeof bits);
        } else {
            typename Mask<Real, Arch>::register_type const lanes = mask;
            std::memcpy(bytes, &lanes, sizeof lanes);
        }
    }
};

/// Lane n is set where bit n is.
template <class Real, class Arch> [[gnu::always_inline]] inline Mask<Real, Arch> mask_of(std::uint32_t bits) {
    using B = Batch<Real, Arch>;
    if constexpr (has_avx512<Arch>) {
        return Mask<Real, Arch>(static_cast<typename Mask<Real, Arch>::register_type>(bits));
    } else {
        alignas(64) Real lanes[B::size];
        for (std::size_t n = 0; n < B::size; ++n) lanes[n] = static_cast<Real>(bits >> n & 1u);
        return B::load_aligned(lanes) != B(Real(0));
    }
}

}  // namespace trotter::cpu
