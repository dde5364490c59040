// SIMD lanes of doubles for solving several constraint clusters of one kind at once.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <trotter/vec3.hpp>

#include <trotter/common/simd/square_roots.hpp>

namespace trotter {

/// Whether a ≤ b in all lanes.
template <class Vector> [[gnu::always_inline]] inline bool are_at_most(Vector const& a, Vector const& b) {
    constexpr std::size_t width = sizeof(Vector) / sizeof(double);
#if defined(__AVX512F__)
    if constexpr (width == 8) return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ) == 0xFF;
#endif
#if defined(__AVX__)
    if constexpr (width == 4) return _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ)) == 0xF;
#endif
#if defined(__SSE2__)
    if constexpr (width == 2) return _mm_movemask_pd(_mm_cmple_pd(a, b)) == 0x3;
#endif
    bool result = true;
    for (std::size_t lane = 0; lane < width; ++lane) result = result && a[lane] <= b[lane];
    return result;
}

/// Doubles in `vectors` SIMD vectors of `bytes` bytes; two of them hide the latency of divisions and roots. `Arch`
/// distinguishes functions compiled for different instruction sets.
template <class Arch, std::size_t bytes, std::size_t vectors = 1> class Lanes {
    static constexpr std::size_t width = bytes / sizeof(double);
    using Vector [[gnu::vector_size(bytes)]] = double;

public:
    static constexpr std::size_t count = width * vectors;

    Lanes() = default;
    Lanes(double value) {
        for (auto& vector : vectors_) vector = value - Vector{};
    }
    /// `number(lane)` for each lane.
    template <class Number> [[gnu::always_inline]] static Lanes of(Number const& number) {
        Lanes result;
        for (std::size_t n = 0; n < vectors; ++n)
            result.vectors_[n] = vector_of(number, n * width, std::make_index_sequence<width>{});
        return result;
    }
    static Lanes load(double const* from) {
        Lanes result;
        std::memcpy(&result.vectors_, from, sizeof vectors_);
        return result;
    }

    double operator[](std::size_t lane) const { return vectors_[lane / width][lane % width]; }

    friend Lanes operator+(Lanes a, Lanes const& b) { return a += b; }
    friend Lanes operator-(Lanes a, Lanes const& b) { return a -= b; }
    friend Lanes operator*(Lanes a, Lanes const& b) { return a *= b; }
    friend Lanes operator/(Lanes a, Lanes const& b) {
        for (std::size_t n = 0; n < vectors; ++n) a.vectors_[n] /= b.vectors_[n];
        return a;
    }
    friend Lanes operator-(Lanes a) {
        for (auto& vector : a.vectors_) vector = -vector;
        return a;
    }
    Lanes& operator+=(Lanes const& b) {
        for (std::size_t n = 0; n < vectors; ++n) vectors_[n] += b.vectors_[n];
        return *this;
    }
    Lanes& operator-=(Lanes const& b) {
        for (std::size_t n = 0; n < vectors; ++n) vectors_[n] -= b.vectors_[n];
        return *this;
    }
    Lanes& operator*=(Lanes const& b) {
        for (std::size_t n = 0; n < vectors; ++n) vectors_[n] *= b.vectors_[n];
        return *this;
    }
    friend Lanes sqrt(Lanes a) {
        for (auto& vector : a.vectors_) vector = square_roots<Vector>(vector);
        return a;
    }
    friend Lanes abs(Lanes a) {
        for (auto& vector : a.vectors_) vector = vector < 0.0 ? -vector : vector;
        return a;
    }
    /// Whether a ≤ b in all lanes; false for NaN.
    friend bool all_at_most(Lanes const& a, Lanes const& b) {
        bool result = true;
        for (std::size_t n = 0; n < vectors; ++n) result = result && are_at_most<Vector>(a.vectors_[n], b.vectors_[n]);
        return result;
    }

private:
    template <class Number, std::size_t... lane>
    [[gnu::always_inline]] static Vector vector_of(Number const& number, std::size_t first,
                                                   std::index_sequence<lane...>) {
        return Vector{number(first + lane)...};
    }

    Vector vectors_[vectors]{};
};

/// View of per-particle vectors, indexed from particle `first` on.
struct VectorsFrom {
    Vec3<> const* data;
    std::size_t first = 0;

    Vec3<> const& operator[](std::size_t particle) const { return data[particle - first]; }
};

/// Loads the vector of one particle into each lane.
template <class L, class Vectors>
[[gnu::always_inline]] inline Vec3<L> gather(Vectors const& from, std::int32_t const* particles) {
    auto const at = [&](std::size_t lane) -> Vec3<> const& { return from[static_cast<std::size_t>(particles[lane])]; };
    return {L::of([&](std::size_t lane) { return at(lane).x; }), L::of([&](std::size_t lane) { return at(lane).y; }),
            L::of([&](std::size_t lane) { return at(lane).z; })};
}

template <class L>
[[gnu::always_inline]] inline void scatter(Vec3<L> const& values, Vec3<>* to, std::int32_t const* particles) {
    for (std::size_t lane = 0; lane < L::count; ++lane) {
        Vec3<>& particle = to[particles[lane]];
        particle.x = values.x[lane], particle.y = values.y[lane], particle.z = values.z[lane];
    }
}

}  // namespace trotter
