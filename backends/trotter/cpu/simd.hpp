// A thin layer over xsimd: what releases name differently, and what the pair loops need besides.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <trotter/cpu/xsimd.hpp>

namespace trotter::cpu {

template <class Real, class Arch> using Batch = xsimd::batch<Real, Arch>;
template <class Real, class Arch> using Mask = xsimd::batch_bool<Real, Arch>;

template <class Arch> inline constexpr bool has_avx512 = std::is_base_of_v<xsimd::avx512f, Arch>;
template <class Arch> inline constexpr bool has_avx = std::is_base_of_v<xsimd::avx, Arch>;
template <class Arch> inline constexpr bool has_sse = std::is_base_of_v<xsimd::sse2, Arch>;

/// Calls `body` with the constants 0 … count-1.
template <int count, class Body> [[gnu::always_inline]] inline void unroll(Body&& body) {
    [&]<int... n>(std::integer_sequence<int, n...>) __attribute__((always_inline)) {
        (body(std::integral_constant<int, n>{}), ...);
    }(std::make_integer_sequence<int, count>{});
}

/// The sum of all lanes.
template <class Real, class Arch> [[gnu::always_inline]] inline Real sum(Batch<Real, Arch> const& x) {
    if constexpr (requires { reduce_add(x); }) return reduce_add(x);
    else return hadd(x);
}

/// `x` where the mask is set, otherwise 0, whatever `x` is there (infinities and NaNs too).
template <class Real, class Arch>
[[gnu::always_inline]] inline Batch<Real, Arch> keep(Mask<Real, Arch> const& mask, Batch<Real, Arch> const& x) {
    return xsimd::select(mask, x, Batch<Real, Arch>(Real(0)));
}

/// The hardware's estimate of 1/√x: 14 bits with AVX-512, 11 with SSE and AVX; not there for other types.
template <class Real, class Arch> [[gnu::always_inline]] inline Batch<Real, Arch> estimated_rsqrt(Batch<Real, Arch> const& x) {
#if defined(__x86_64__)
    if constexpr (has_avx512<Arch>) {
        if constexpr (sizeof(Real) == 4) return _mm512_rsqrt14_ps(x);
        else return _mm512_rsqrt14_pd(x);
    } else if constexpr (has_avx<Arch>) return _mm256_rsqrt_ps(x);
    else return _mm_rsqrt_ps(x);
#endif
}
template <class Real, class Arch> inline constexpr bool has_rsqrt_estimate = has_avx512<Arch> || (sizeof(Real) == 4 && has_sse<Arch>);

/// 1/√x within about one unit in the last place; x must be normal. Each Newton step doubles the number of good bits.
template <class Real, class Arch> [[gnu::always_inline]] inline Batch<Real, Arch> inverse_sqrt(Batch<Real, Arch> const& x) {
    using B = Batch<Real, Arch>;
    if constexpr (has_rsqrt_estimate<Real, Arch>) {
        B y = estimated_rsqrt<Real, Arch>(x);
        for (int step = 0; step < (sizeof(Real) == 4 ? 1 : 2); ++step) {
            B const error = xsimd::fnma(B(x * y), y, B(Real(1)));
            y = xsimd::fma(B(y * B(Real(0.5))), error, y);
        }
        return y;
    } else return B(Real(1)) / xsimd::sqrt(x);
}

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
