// Register layout of the pairs of four i particles and four j particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstring>

#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/simd/four_numbers.hpp>
#include <trotter/cpu/simd/pack.hpp>
#include <trotter/cpu/simd/shuffles.hpp>

namespace trotter::cpu {

/// Sixteen pairs in `registers`, those of a j particle in adjacent lanes: lane 4j + i is the pair of i with j. The
/// records of four j particles have the same layout: lane 4j + n is number n of j. If a register holds fewer than four
/// numbers, each record takes `parts` of them.
template <class Real, class Arch> struct Layout {
    using B = Batch<Real, Arch>;
    static constexpr int width = static_cast<int>(B::size);
    static constexpr int registers = 16 / width;
    static constexpr int parts = width < 4 ? 4 / width : 1;
    static_assert(width <= 16);

    struct Records {
        B of[registers];
    };

    /// Repeats part `part` of four numbers to fill a register.
    [[gnu::always_inline]] static B repeat(Four<Real> const& four, int part) {
#if defined(__AVX__)
        if constexpr (width == 16)
            return _mm512_broadcast_f32x4((__m128)four);
        else if constexpr (width == 8 && sizeof(Real) == 8)
            return _mm512_broadcast_f64x4((__m256d)four);
        else if constexpr (width == 8)
            return _mm256_set_m128((__m128)four, (__m128)four);
#endif
        alignas(64) Real lanes[width < 4 ? 4 : width];
        for (int n = 0; n < width || n < 4; n += 4) FourOf<Real>::store(lanes + n, four);
        return B::load_unaligned(lanes + part * width);
    }

    /// Loads the records that `record_of(j)` points to.
    template <class RecordOf> [[gnu::always_inline]] static Records load(RecordOf const& record_of) {
        Records result;
        unroll<registers>([&](auto k) __attribute__((always_inline)) {
#if defined(__AVX__)
            if constexpr (width == 16) {
                result.of[k] = _mm512_insertf32x8(
                    _mm512_castps256_ps512(_mm256_set_m128(_mm_load_ps(record_of(1)), _mm_load_ps(record_of(0)))),
                    _mm256_set_m128(_mm_load_ps(record_of(3)), _mm_load_ps(record_of(2))), 1);
                return;
            } else if constexpr (width == 8 && sizeof(Real) == 8) {
                result.of[k] = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(record_of(2 * k))),
                                                  _mm256_load_pd(record_of(2 * k + 1)), 1);
                return;
            } else if constexpr (width == 8) {
                result.of[k] = _mm256_set_m128(_mm_load_ps(record_of(2 * k + 1)), _mm_load_ps(record_of(2 * k)));
                return;
            }
#endif
            if constexpr (width <= 4) {
                result.of[k] = B::load_aligned(record_of(k / parts) + k % parts * width);
            } else {
                alignas(64) Real lanes[width];
                for (int n = 0; n < width; n += 4)
                    FourOf<Real>::store(lanes + n, FourOf<Real>::load(record_of((k * width + n) / 4)));
                result.of[k] = B::load_aligned(lanes);
            }
        });
        return result;
    }
    /// The steps from `base` to the references that `reference_of(j)` points to.
    template <class ReferenceOf>
    [[gnu::always_inline]] static Records differences(ReferenceOf const& reference_of, Steps const& base) {
        Records result;
        unroll<registers>([&](auto k) __attribute__((always_inline)) {
#if defined(__AVX__)
            auto const at = [&](int j) __attribute__((always_inline)) {
                return _mm_load_si128(reinterpret_cast<__m128i const*>(reference_of(j)));
            };
            if constexpr (width == 16) {
                __m512i const four = _mm512_inserti32x8(_mm512_castsi256_si512(_mm256_set_m128i(at(1), at(0))),
                                                        _mm256_set_m128i(at(3), at(2)), 1);
                result.of[k] = _mm512_cvtepi32_ps(_mm512_sub_epi32(four, _mm512_broadcast_i32x4((__m128i)base)));
                return;
            } else if constexpr (width == 8 && has_avx2<Arch>) {
                __m256i const two = _mm256_set_m128i(at(2 * k + 1), at(2 * k)),
                              away = _mm256_sub_epi32(two, _mm256_broadcastsi128_si256((__m128i)base));
                if constexpr (sizeof(Real) == 8)
                    result.of[k] = _mm512_cvtepi32_pd(away);
                else
                    result.of[k] = _mm256_cvtepi32_ps(away);
                return;
            } else if constexpr (width == 4 && sizeof(Real) == 8) {
                result.of[k] = _mm256_cvtepi32_pd(_mm_sub_epi32(at(k), (__m128i)base));
                return;
            }
#endif
            alignas(64) Real lanes[width < 4 ? 4 : width];
            for (int n = 0; n < width || n < 4; n += 4) {
                Steps reference;
                std::memcpy(&reference, reference_of((k / parts * parts * width + n) / 4), sizeof reference);
                FourOf<Real>::store(lanes + n, FourOf<Real>::of(reference - base));
            }
            result.of[k] = B::load_aligned(lanes + k % parts * width);
        });
        return result;
    }
    /// Loads consecutive records.
    [[gnu::always_inline]] static Records load_cluster(Real const* p) {
        Records result;
        unroll<registers>([&](auto k)
                              __attribute__((always_inline)) { result.of[k] = B::load_aligned(p + k * width); });
        return result;
    }
    /// Number `n` of each j particle's record in register `k`, repeated for its four pairs.
    template <int n> [[gnu::always_inline]] static B number(Records const& records, int k) {
        if constexpr (width < 4) {
            B const& half = records.of[k / parts * parts + n / width];
            return shuffled<n % width, n % width>(half, half);
        } else
            return shuffled<n, n, n, n>(records.of[k], records.of[k]);
    }

    /// Sums three quantities of pairs over the i particles, into records. The fourth number is undefined.
    [[gnu::always_inline]] static Records sums_of_j(B const (&x)[3][registers]) {
        Records result;
        if constexpr (width < 4) {
            for (int j = 0; j < 4; ++j) {
                alignas(64) Real record[4] = {};
                for (int axis = 0; axis < 3; ++axis)
                    for (int part = 0; part < parts; ++part) record[axis] += sum<Real, Arch>(x[axis][j * parts + part]);
                for (int part = 0; part < parts; ++part)
                    result.of[j * parts + part] = B::load_aligned(record + part * width);
            }
        } else
            unroll<registers>([&](auto k) __attribute__((always_inline)) {
                B const &x0 = x[0][k], &x1 = x[1][k], &x2 = x[2][k];
                if constexpr (sizeof(Real) == 4) {
                    B const a = shuffled<0, 4, 1, 5>(x0, x1) + shuffled<2, 6, 3, 7>(x0, x1),
                            b = x2 + shuffled<2, 3, 0, 1>(x2, x2);
                    result.of[k] = shuffled<0, 1, 4, 4>(a, b) + shuffled<2, 3, 5, 5>(a, b);
                } else {
                    // Exchanging halves of four doubles is slower than exchanging neighbors.
                    B const a = shuffled<0, 4, 2, 6>(x0, x1) + shuffled<1, 5, 3, 7>(x0, x1),
                            b = x2 + shuffled<1, 0, 3, 2>(x2, x2);
                    result.of[k] = shuffled<0, 1, 4, 5>(a, b) + shuffled<2, 3, 6, 7>(a, b);
                }
            });
        return result;
    }
    /// Sums one quantity of pairs over the i particles, for each j particle.
    [[gnu::always_inline]] static Four<Real> sums_of_j(B const (&x)[registers]) {
        alignas(64) Real sums[16];
        unroll<registers>([&](auto k) __attribute__((always_inline)) {
            B total = x[k];
            if constexpr (width >= 4) {
                total += shuffled<1, 0, 3, 2>(total, total);
                total += shuffled<2, 3, 0, 1>(total, total);
            } else
                total = B(sum<Real, Arch>(total));
            total.store_aligned(sums + k * width);
        });
        if constexpr (parts == 2)
            for (int j = 0; j < 4; ++j) sums[4 * j] += sums[4 * j + width];
        return Four<Real>{sums[0], sums[4], sums[8], sums[12]};
    }
    /// Adds the records of the j particles to those that `record_of(j)` points to.
    template <class RecordOf>
    [[gnu::always_inline]] static void add(Records const& records, RecordOf const& record_of) {
#if defined(__AVX__)
        if constexpr (width == 16) {
            __m512 const all = records.of[0];
            __m256 const low = _mm512_castps512_ps256(all), high = _mm512_extractf32x8_ps(all, 1);
            FourOf<Real>::add(record_of(0), (Four<Real>)_mm256_castps256_ps128(low));
            FourOf<Real>::add(record_of(1), (Four<Real>)_mm256_extractf128_ps(low, 1));
            FourOf<Real>::add(record_of(2), (Four<Real>)_mm256_castps256_ps128(high));
            FourOf<Real>::add(record_of(3), (Four<Real>)_mm256_extractf128_ps(high, 1));
            return;
        } else if constexpr (width == 8 && sizeof(Real) == 8) {
            unroll<registers>([&](auto k) __attribute__((always_inline)) {
                __m512d const two = records.of[k];
                FourOf<Real>::add(record_of(2 * k), (Four<Real>)_mm512_castpd512_pd256(two));
                FourOf<Real>::add(record_of(2 * k + 1), (Four<Real>)_mm512_extractf64x4_pd(two, 1));
            });
            return;
        } else if constexpr (width == 8) {
            unroll<registers>([&](auto k) __attribute__((always_inline)) {
                __m256 const two = records.of[k];
                FourOf<Real>::add(record_of(2 * k), (Four<Real>)_mm256_castps256_ps128(two));
                FourOf<Real>::add(record_of(2 * k + 1), (Four<Real>)_mm256_extractf128_ps(two, 1));
            });
            return;
        }
#endif
        alignas(64) Real lanes[16];
        for (int k = 0; k < registers; ++k) records.of[k].store_aligned(lanes + k * width);
        for (int j = 0; j < 4; ++j) FourOf<Real>::add(record_of(j), FourOf<Real>::load(lanes + 4 * j));
    }

    /// Reduces four registers, one per particle, to the layout of pairs: lanes 4j … are partial sums of particle j.
    [[gnu::always_inline]] static void as_pairs(B const* of_particles, B (&result)[registers]) {
        if constexpr (width == 16) {
            B const low = halves<0, 1, 0, 1>(of_particles[0], of_particles[1])
                          + halves<2, 3, 2, 3>(of_particles[0], of_particles[1]),
                    high = halves<0, 1, 0, 1>(of_particles[2], of_particles[3])
                           + halves<2, 3, 2, 3>(of_particles[2], of_particles[3]);
            result[0] = halves<0, 2, 0, 2>(low, high) + halves<1, 3, 1, 3>(low, high);
        } else
            unroll<registers>([&](auto k) __attribute__((always_inline)) {
                if constexpr (width == 8)
                    result[k] = halves<0, 0>(of_particles[2 * k], of_particles[2 * k + 1])
                                + halves<1, 1>(of_particles[2 * k], of_particles[2 * k + 1]);
                else
                    result[k] = k % parts == 0 ? of_particles[k / parts] : B(Real(0));
            });
    }

    /// Transposes sixteen records, those of particles k, k + 4, k + 8 and k + 12 in records[k], to columns: each number
    /// of all of them in `registers`.
    [[gnu::always_inline]] static void to_columns(Records const (&records)[4], B (&columns)[4][registers]) {
        if constexpr (width < 4) {
            alignas(64) Real numbers[4][16];
            for (int k = 0; k < 4; ++k)
                for (int j = 0; j < 4; ++j)
                    for (int part = 0; part < parts; ++part) {
                        alignas(64) Real some[width];
                        records[k].of[j * parts + part].store_aligned(some);
                        for (int n = 0; n < width; ++n) numbers[part * width + n][4 * j + k] = some[n];
                    }
            for (int n = 0; n < 4; ++n)
                for (int k = 0; k < registers; ++k) columns[n][k] = B::load_aligned(numbers[n] + k * width);
        } else
            unroll<registers>([&](auto k) __attribute__((always_inline)) {
                B rows[4] = {records[0].of[k], records[1].of[k], records[2].of[k], records[3].of[k]};
                rows_to_columns(rows);
                unroll<4>([&](auto n) __attribute__((always_inline)) { columns[n][k] = rows[n]; });
            });
    }
    /// The inverse of to_columns().
    [[gnu::always_inline]] static void to_records(B const (&columns)[4][registers], Records (&records)[4]) {
        if constexpr (width < 4) {
            alignas(64) Real numbers[4][16];
            for (int n = 0; n < 4; ++n)
                for (int k = 0; k < registers; ++k) columns[n][k].store_aligned(numbers[n] + k * width);
            for (int k = 0; k < 4; ++k)
                for (int j = 0; j < 4; ++j)
                    for (int part = 0; part < parts; ++part) {
                        alignas(64) Real some[width];
                        for (int n = 0; n < width; ++n) some[n] = numbers[part * width + n][4 * j + k];
                        records[k].of[j * parts + part] = B::load_aligned(some);
                    }
        } else
            unroll<registers>([&](auto k) __attribute__((always_inline)) {
                B rows[4] = {columns[0][k], columns[1][k], columns[2][k], columns[3][k]};
                rows_to_columns(rows);
                unroll<4>([&](auto n) __attribute__((always_inline)) { records[n].of[k] = rows[n]; });
            });
    }

    /// The lanes of register `k` in a pair mask.
    [[gnu::always_inline]] static Mask<Real, Arch> mask(std::uint32_t bits, int k) {
        return mask_of<Real, Arch>(bits >> (k * width) & ((1u << width) - 1u));
    }
};

}  // namespace trotter::cpu
