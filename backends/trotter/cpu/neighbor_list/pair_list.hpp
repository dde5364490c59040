// The data of a pair list, as the inner loops see it.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace trotter::cpu {

/// How many entries may be read behind the last of a list of clusters, which is looked at in fours.
inline constexpr std::size_t read_behind = 3;

/// Particles of a cluster. Clusters follow each other, and so do the slots of their particles.
inline constexpr int cluster_size = 4;

/// Numbers of a particle that lie together: its coordinates or its force, and one more.
inline constexpr int record_size = 4;

/// A j cluster of which some pairs do not interact. Bit 4j + i of a mask is the pair of i with j.
struct MaskedPair {
    std::int32_t cluster;
    std::uint32_t interaction_mask;
    std::uint32_t ewald_correction_mask;  ///< excluded pairs of which what the mesh adds is taken out here
};

/// Entries begin … end-1 of a list.
struct ListRange {
    std::int32_t begin, end;

    [[gnu::always_inline]] int count() const { return end - begin; }
};

/// What stands near the first i cluster of a group but not near the second, the other way round, and near both.
enum NearWhich { near_first, near_second, near_both };

/// One i cluster, or two that stand one upon the other.
struct IClusters {
    std::int32_t cluster;
    std::int32_t count;  ///< 2 where the next cluster is the other one
    /// Of the cell's vectors: from the base to where the images of j are that are meant, see ClusterView.
    std::int32_t image_shift[3];
    bool uses_minimum_image;  ///< of j particles, those images are meant that are the nearest to the base
    ListRange masked[2];      ///< of each of them: the second follows the first
};

/// i clusters and the clusters near them.
struct ClusterGroup {
    IClusters i;
    ListRange plain[3];  ///< by NearWhich
};

/// i clusters and the slots near them, those of masked pairs too. What is near both i clusters stands between what is
/// near one of them, so that each cluster's slots follow each other. Of those near both, the ones without a
/// Lennard-Jones site stand behind all others, where it is known.
struct ParticleGroup {
    IClusters i;
    ListRange all;
    /// Of each i cluster. Clusters of masked pairs begin at `masked_begin`, before the plain slots of the first i
    /// cluster and behind those of the second.
    ListRange plain[2];
    std::int32_t masked_begin[2];
    ListRange without_lj;
};

/// Clusters whose forces lie together in the force buffer of a task.
inline constexpr int clusters_per_block = 32;
inline constexpr int slots_per_block = clusters_per_block * cluster_size;

/// How many numbers a particle's parameters take where it has `count` of them.
[[gnu::always_inline]] inline constexpr int parameter_stride(int count) {
    return (count + record_size - 1) / record_size * record_size;
}

/// Steps along the vectors of a cell, 2^32 to each of them, and one more number that means nothing.
using Steps [[gnu::vector_size(record_size * sizeof(std::uint32_t))]] = std::uint32_t;
using SignedSteps [[gnu::vector_size(record_size * sizeof(std::int32_t))]] = std::int32_t;

/// Of a number of steps, how many of the lowest bits are part of a type; and types that there can be.
inline constexpr int type_bits = 2, max_types = 1 << 3 * type_bits;

/// Coordinates and parameters of all slots. Coordinates are relative to the cluster's reference, a point of a grid in
/// the cell that is near: they stay small, which makes floats precise enough. References are counted in steps, and
/// their differences wrap around as the cell does: one that is read as a signed number is that to the image within half
/// of each vector, whichever image this is. Where others are meant (in small cells), a group says by which quarters
/// of the vectors they are.
template <class Real> struct ClusterView {
    Real const* coordinates;  ///< records; behind the coordinates, a charge where a force has put one there
    /// Records, or null: where particles are in the cell, in steps, and the same charge. The lowest bits of the three,
    /// which do not count, say of which type a particle is.
    Real const* points;
    Real const* type_table;  ///< parameters of each type, or null: number m of type k is at max_types m + k
    int type_count, parameters_per_type;  ///< how many there are, and how many parameters each has
    Real const* parameters;               ///< records, one or several for each slot
    std::uint32_t const* references;      ///< records: that of its cluster for each slot
    std::uint16_t const* without_lj;      ///< for each cluster: bit 4n is set where slot n has no Lennard-Jones site
    double const* cell;                   ///< the nine components of its vectors
    /// Records of what a step along each vector is: a.x, b.y and c.z; b.x; c.x and c.y.
    Real step[record_size], tilt_of_b[record_size], tilt_of_c[record_size];
    bool is_triclinic;

    [[gnu::always_inline]] Real const* coordinates_of(std::ptrdiff_t slot) const {
        return coordinates + record_size * slot;
    }
    [[gnu::always_inline]] Steps reference_of(std::ptrdiff_t cluster) const {
        Steps result;
        std::memcpy(&result, references + record_size * cluster_size * cluster, sizeof result);
        return result;
    }
    /// What coordinates are relative to in loops over the pairs of i clusters: the middle between their references.
    [[gnu::always_inline]] Steps base_of(IClusters const& i) const {
        Steps const first = reference_of(i.cluster), last = reference_of(i.cluster + i.count - 1);
        return first + (Steps)((SignedSteps)(last - first) >> 1);
    }
};

/// Bounds of clusters along each axis; at least 16 numbers may be read behind the last.
struct BoundsView {
    float const *lower[3], *upper[3];
};

/// Clusters first … last-1.
struct ClusterRange {
    std::int32_t first, last;
};

/// A list of clusters, the part of one task. All of its j clusters are plain.
struct ClusterList {
    ClusterView<float> clusters;  ///< numbers of other precision, rounded
    ClusterGroup const* groups;
    int group_count;
    MaskedPair const* masked;
    std::int32_t const* plain[3];  ///< by NearWhich
};

/// Where a shortened list of clusters goes, how near its particles are, and how much it then holds.
struct PrunedClusterList {
    float radius2;
    ClusterGroup* groups;
    MaskedPair* masked;
    std::int32_t* plain[3];
    int group_count, masked_count, plain_count[3];
};

/// In the order in which they stand in a group of particles.
enum SlotSection { only_first, plain_both, only_second, both_without_lj, slot_sections };

/// The same for a list of particles.
struct PrunedParticleList {
    float radius2;
    ParticleGroup* groups;
    MaskedPair* masked;
    std::int32_t* slots;
    std::int32_t* kinds[slot_sections];  ///< room for the slots of one group
    int group_count, masked_count, slot_count;
};

/// The part of a list of particles that one task works on.
template <class Real> struct PairView {
    ClusterView<Real> clusters;
    ParticleGroup const* groups;
    int group_count;
    MaskedPair const* masked;
    std::int32_t const* slots;  ///< of j particles; without a cutoff, whole clusters instead
    bool lists_clusters;
    std::int32_t padding_slot;  ///< a slot that is far from everything
    std::int32_t slot_mask;     ///< the bits of a slot that say where its force stands
    Real* forces;               ///< records of the slots that the task touches; the fourth number means nothing
    Real* sums;                 ///< for every number of each particle that interactions sum: those of the slots
    std::ptrdiff_t sum_stride;  ///< from those of one number to those of the next
    /// Differences of masked pairs stay below this: half the box where two images of a pair can be at the cutoff.
    Real half_box[3];

    /// Where a slot's numbers stand in the task's buffers.
    [[gnu::always_inline]] std::ptrdiff_t buffer_index(std::int32_t slot) const { return slot & slot_mask; }
};

/// The slots of four j particles.
struct FourSlots {
    std::int32_t of[4];

    [[gnu::always_inline]] static FourSlots of_cluster(std::int32_t cluster) {
        std::int32_t const first = cluster_size * cluster;
        return {{first, first + 1, first + 2, first + 3}};
    }
};

}  // namespace trotter::cpu
