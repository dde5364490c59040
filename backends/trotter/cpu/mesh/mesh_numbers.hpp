// Registers for the rows of a mesh.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstring>
#include <type_traits>

#include <trotter/cpu/simd/simd.hpp>

namespace trotter::cpu {

/// Values for rows of a mesh, five spline weights and three zeros, once or twice. Registers hold at most one row:
/// duplicating a row within a wider one costs more than wider operations save.
template <class Real, class Arch, int count> struct MeshNumbers {
    static constexpr int width = std::min<int>(Batch<Real, Arch>::size, 8), half = count / 2;
    using Part [[gnu::vector_size(width * sizeof(Real))]] = Real;
    Part parts[count / width];

    [[gnu::always_inline]] static MeshNumbers load(Real const* p) {
        return each([&](int n) __attribute__((always_inline)) { return load_part(p + n * width); });
    }
    [[gnu::always_inline]] void store(Real* p) const {
        for (int n = 0; n < count / width; ++n) std::memcpy(p + n * width, &parts[n], sizeof(Part));
    }
    [[gnu::always_inline]] static MeshNumbers fill(Real x) {
        return each([&](int) __attribute__((always_inline)) { return x - Part{}; });
    }
    /// The first half is all `x`, the second `y`.
    [[gnu::always_inline]] static MeshNumbers halves(Real x, Real y) {
        return each([&](int n) __attribute__((always_inline)) { return (n * width < half ? x : y) - Part{}; });
    }
    /// Both halves are loaded from `p`.
    [[gnu::always_inline]] static MeshNumbers twice(Real const* p) {
        return each([&](int n) __attribute__((always_inline)) { return load_part(p + n * width % half); });
    }
    [[gnu::always_inline]] MeshNumbers<Real, Arch, half> first_half() const {
        return MeshNumbers<Real, Arch, half>::each([&](int n) __attribute__((always_inline)) { return parts[n]; });
    }
    [[gnu::always_inline]] friend MeshNumbers operator*(MeshNumbers const& a, MeshNumbers const& b) {
        return each([&](int n) __attribute__((always_inline)) { return a.parts[n] * b.parts[n]; });
    }
    /// a b + c
    [[gnu::always_inline]] static MeshNumbers fma(MeshNumbers const& a, MeshNumbers const& b, MeshNumbers const& c) {
        return each([&](int n) __attribute__((always_inline)) { return fma(a.parts[n], b.parts[n], c.parts[n]); });
    }
    template <class Function> [[gnu::always_inline]] static MeshNumbers each(Function const& part) {
        MeshNumbers result;
        unroll<count / width>([&](auto n) __attribute__((always_inline)) { result.parts[n] = part(n); });
        return result;
    }

private:
    // Part by part: compilers copy larger arrays through memory, in pieces that differ from those read again.
    [[gnu::always_inline]] static Part load_part(Real const* p) {
        Part part;
        std::memcpy(&part, p, sizeof part);
        return part;
    }
    [[gnu::always_inline]] static Part fma(Part const& a, Part const& b, Part const& c) {
#if defined(__AVX__)
        if constexpr (std::is_base_of_v<xsimd::fma3<xsimd::avx2>, Arch> || has_avx512<Arch>) {
            if constexpr (sizeof(Part) == 64)
                return (Part)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
            else if constexpr (sizeof(Real) == 4)
                return (Part)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
            else
                return (Part)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
        }
#endif
        return a * b + c;
    }
};

}  // namespace trotter::cpu
