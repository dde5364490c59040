// The data of a cluster pair list, as the inner loops see it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

namespace trotter::cpu {

/// Particles of a cluster.
inline constexpr int cluster_size = 4;

/// A j cluster of which some pairs do not interact. Bit 4i + j of a mask is the pair of i with j.
struct MaskedPair {
    std::int32_t cluster;
    std::uint32_t interacting;
    std::uint32_t screened;  ///< excluded pairs of which what the mesh adds is taken out here
};

/// Entries begin … end-1 of a list.
struct ListRange {
    std::int32_t begin, end;
};

/// One i cluster, or two that stand one upon the other, and the j clusters near them, for one periodic image. What is
/// near both is loaded, and gets its forces, once for the two.
struct PairGroup {
    std::int32_t cluster;
    std::int32_t count;     ///< of i clusters: 2 where the next cluster is the other one
    std::int32_t image[3];  ///< i is moved by this many box vectors
    ListRange masked[2];    ///< of each i cluster
    ListRange plain[3];     ///< what is near each i cluster but not near both, and what is near both
};
inline constexpr int near_both = 2;

/// Clusters whose forces lie together in the force buffer of a task.
inline constexpr int granule = 32;

/// Coordinates and parameters of all particles in clusters: three planes of numbers for each cluster.
/// Coordinates are relative to the cluster's reference, a multiple of 1/8 nm: differences of references are exact, and
/// what is stored stays small, which makes floats precise enough.
template <class Real> struct ClusterView {
    Real const* coordinates;
    Real const* parameters;
    Real const* references;  ///< three for each cluster; one more may be read behind the last

    [[gnu::always_inline]] Real const* coordinates_of(std::ptrdiff_t cluster, int axis) const {
        return coordinates + 3 * cluster_size * cluster + axis * cluster_size;
    }
};

/// A point that coordinates are relative to.
template <class Real> struct ReferencePoint { alignas(4 * sizeof(Real)) Real x[4]; };

/// Bounds of clusters along each axis; at least 16 numbers may be read behind the last.
struct BoundsView {
    float const *lower[3], *upper[3];
};

/// Clusters first … last-1.
struct ClusterRange {
    std::int32_t first, last;
};

/// Where a shortened list goes, how near its particles are, and how much it then holds.
template <class Real> struct ShortList {
    Real radius2;
    PairGroup* groups;
    MaskedPair* masked;
    std::int32_t* plain[3];
    int group_count = 0, masked_count = 0, plain_count[3] = {0, 0, 0};
};

/// The part of a pair list that one task works on.
template <class Real> struct PairView {
    ClusterView<Real> clusters;
    PairGroup const* groups;
    int group_count;
    MaskedPair const* masked;
    std::int32_t const* plain[3];     ///< of each kind in a group; one more than the groups have
    double const* box;                ///< the nine components of its vectors
    std::int32_t const* force_start;  ///< for each granule: what to add to a cluster's index to find its forces
    Real* forces;                     ///< three planes for each cluster that the task touches
    Real* sums;                 ///< a plane of each cluster for every number of each particle that interactions sum
    std::ptrdiff_t sum_stride;  ///< from those of one number to those of the next
    /// Differences of masked pairs stay below this: half the box where two images of a pair can be at the cutoff.
    Real half_box[3];

    /// Where a cluster's numbers stand in the task's buffers, in clusters.
    [[gnu::always_inline]] std::ptrdiff_t touched(std::int32_t cluster) const {
        return force_start[static_cast<std::uint32_t>(cluster) / granule] + cluster;
    }
};

}  // namespace trotter::cpu
