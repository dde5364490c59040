// Copies positions to the slots of particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstring>

#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/cpu/simd/four_numbers.hpp>

namespace trotter::cpu {

/// Clusters begin … end-1 and their data.
template <class Real> struct FilledClusters {
    double const *positions, *translations;  ///< three numbers of each particle, and of each slot
    char const* is_translated;               ///< clusters with any such slot
    std::int32_t const* particles;           ///< of each slot, negative where there is none
    std::uint32_t const* references;         ///< see ClusterView
    double origin[record_size];
    double step[3][record_size];  ///< a step of references along each vector of the cell
    /// Contributions to points along a, b and c by x, y and z; along a and b by y and z; along a by z.
    double points_of[3][record_size];
    bool is_triclinic;
    Real *coordinates, *points;  ///< see ClusterView; no points where null
    std::ptrdiff_t begin, end;
};

/// Leaves the charges of coordinates and points, and the lowest bits of points, unchanged.
template <class Real, class Arch> struct SlotFilling {
    static void run(FilledClusters<Real> const& to) {
        Doubles const origin = FourOf<double>::load(to.origin);
        Doubles const step[3] = {FourOf<double>::load(to.step[0]), FourOf<double>::load(to.step[1]),
                                 FourOf<double>::load(to.step[2])};
        for (std::ptrdiff_t cluster = to.begin; cluster < to.end; ++cluster) {
            fetch(to, cluster + clusters_ahead);
            std::uint32_t const* const steps = to.references + record_size * cluster_size * cluster;
            Doubles const reference =
                origin
                + (step[0] * static_cast<double>(steps[0]) + step[1] * static_cast<double>(steps[1])
                   + step[2] * static_cast<double>(steps[2]));
            bool const is_translated = to.is_translated[cluster] != 0;
            for (std::ptrdiff_t slot = cluster_size * cluster; slot < cluster_size * (cluster + 1); ++slot) {
                if (to.particles[slot] < 0) continue;
                Doubles x = vector(to.positions + 3 * std::ptrdiff_t{to.particles[slot]});
                if (is_translated) x += vector(to.translations + 3 * slot);
                Real* const record = to.coordinates + record_size * slot;
                FourOf<Real>::store(record, __builtin_shufflevector(__builtin_convertvector(x - reference, Four<Real>),
                                                                    FourOf<Real>::load(record), 0, 1, 2, 7));
                if constexpr (sizeof(Real) == sizeof(std::uint32_t))
                    if (to.points) put_point(to, x - origin, to.points + record_size * slot);
            }
        }
    }

private:
    using Doubles = Four<double>;
    using Integers [[gnu::vector_size(sizeof(Doubles))]] = std::uint64_t;

    /// Prefetch distance: particles of a cluster are near in space, but not in memory.
    static constexpr std::ptrdiff_t clusters_ahead = 4;
    [[gnu::always_inline]] static void fetch(FilledClusters<Real> const& to, std::ptrdiff_t cluster) {
        if (cluster >= to.end) return;
        for (std::ptrdiff_t slot = cluster_size * cluster; slot < cluster_size * (cluster + 1); ++slot)
            if (to.particles[slot] >= 0) __builtin_prefetch(to.positions + 3 * std::ptrdiff_t{to.particles[slot]});
    }

    [[gnu::always_inline]] static Doubles vector(double const* x) { return Doubles{x[0], x[1], x[2], 0}; }

    /// Writes the point of a particle at `x` from the origin.
    [[gnu::always_inline]] static void put_point(FilledClusters<Real> const& to, Doubles const& x, Real* point) {
        constexpr std::uint32_t type_mask = (1u << type_bits) - 1;
        Doubles along = x * FourOf<double>::load(to.points_of[0]);
        if (to.is_triclinic)
            along += __builtin_shufflevector(x, x, 1, 2, 3, 3) * FourOf<double>::load(to.points_of[1])
                     + __builtin_shufflevector(x, x, 2, 3, 3, 3) * FourOf<double>::load(to.points_of[2]);
        // The lowest bits of the sum are those of the nearest integer.
        Steps const integers = __builtin_convertvector((Integers)(along + 0x1.8p52), Steps);
        Steps kept;
        std::memcpy(&kept, point, sizeof kept);
        Steps const result = integers << type_bits | (kept & Steps{type_mask, type_mask, type_mask, 0});
        Steps const placed = __builtin_shufflevector(result, kept, 0, 1, 2, 7);
        std::memcpy(point, &placed, sizeof placed);
    }
};

}  // namespace trotter::cpu
