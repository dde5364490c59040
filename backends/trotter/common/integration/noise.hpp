// SIMD generation of normal random numbers for many particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <trotter/base/random.hpp>

#include <trotter/common/simd/square_roots.hpp>

namespace trotter {

/// Normal random numbers of consecutive particles.
struct NormalBlock {
    static constexpr std::size_t size = 64;
    alignas(64) double x[size], y[size], z[size];

    Vec3<> operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
};

/// SIMD vectors of `bytes` by the compiler's vector extensions, which support every processor.
template <int bytes> struct VectorLanes {
    using Word [[gnu::vector_size(bytes)]] = std::uint64_t;
    using Real [[gnu::vector_size(bytes)]] = double;

    [[gnu::always_inline]] static Word product(Word const& a, Word const& b) {
#if defined(__SSE2__) && !defined(__clang__)  // clang detects that the upper halves are zero
        using Halves16 [[gnu::vector_size(16)]] = int;
        if constexpr (bytes == 16)
            return reinterpret_cast<Word>(
                __builtin_ia32_pmuludq128(reinterpret_cast<Halves16>(a), reinterpret_cast<Halves16>(b)));
#if defined(__AVX2__)
        using Halves32 [[gnu::vector_size(32)]] = int;
        if constexpr (bytes == 32)
            return reinterpret_cast<Word>(
                __builtin_ia32_pmuludq256(reinterpret_cast<Halves32>(a), reinterpret_cast<Halves32>(b)));
#endif
#if defined(__AVX512F__)
        using Halves64 [[gnu::vector_size(64)]] = int;
        using Signed [[gnu::vector_size(64)]] = long long;
        if constexpr (bytes == 64)
            return reinterpret_cast<Word>(__builtin_ia32_pmuludq512_mask(
                reinterpret_cast<Halves64>(a), reinterpret_cast<Halves64>(b), Signed{}, -1));
#endif
#endif
        return (a & std::uint64_t{0xFFFFFFFF}) * (b & std::uint64_t{0xFFFFFFFF});
    }
    template <class Vector> [[gnu::always_inline]] static Vector square_root(Vector const& x) { return square_roots(x); }
};

/// Fills in `stream.normals(step, first + i)` for i = 0 … 63. `Arch` distinguishes functions compiled for different
/// instruction sets.
template <class Lanes, class Arch = void>
void fill_normals(RandomStream const& stream, std::uint64_t step, std::uint32_t first, NormalBlock& out) {
    using Real = typename Lanes::Real;
    constexpr std::size_t width = sizeof(Real) / sizeof(double);
    for (std::size_t i = 0; i < NormalBlock::size; i += width) {
        typename Lanes::Word index{};
        for (std::size_t lane = 0; lane < width; ++lane) index[lane] = first + static_cast<std::uint32_t>(i + lane);
        Real x, y, z;
        Noise<Lanes>::normals(stream.words<Lanes>(step, index), x, y, z);
        std::memcpy(out.x + i, &x, sizeof x);
        std::memcpy(out.y + i, &y, sizeof y);
        std::memcpy(out.z + i, &z, sizeof z);
    }
}

}  // namespace trotter
