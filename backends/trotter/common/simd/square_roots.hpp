// Square roots of SIMD vectors, which compilers' vector types lack.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>

namespace trotter {

/// Uses the instruction for this width if there is one: `std::sqrt` may have to set errno for each element.
template <class Vector> [[gnu::always_inline]] inline Vector square_roots(Vector const& a) {
#if defined(__clang__)
#if __has_builtin(__builtin_elementwise_sqrt)
    return __builtin_elementwise_sqrt(a);
#endif
#else
#if defined(__AVX512F__)
    constexpr int rounding_in_use = 4;
    if constexpr (sizeof(Vector) == 64) return __builtin_ia32_sqrtpd512_mask(a, Vector{}, -1, rounding_in_use);
#endif
#if defined(__AVX__)
    if constexpr (sizeof(Vector) == 32) return __builtin_ia32_sqrtpd256(a);
#endif
#if defined(__SSE2__)
    if constexpr (sizeof(Vector) == 16) return __builtin_ia32_sqrtpd(a);
#endif
#endif
    Vector result{};
    for (std::size_t lane = 0; lane < sizeof(Vector) / sizeof(double); ++lane) result[lane] = std::sqrt(a[lane]);
    return result;
}

}  // namespace trotter
