// The data of a pair list for the inner loops.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace trotter::cpu {

/// Entries that may be read beyond the end of a list of clusters, which loops read in fours.
inline constexpr std::size_t read_behind = 3;

/// Particles per cluster. Cluster k has slots 4k … 4k + 3.
inline constexpr int cluster_size = 4;

/// Numbers in a record: the components of a particle's coordinates or force, and one more.
inline constexpr int record_size = 4;

/// A j cluster with pairs that do not interact. Bit 4j + i of a mask is the pair of i with j.
struct MaskedPair {
    std::int32_t cluster;
    std::uint32_t interaction_mask;
    std::uint32_t ewald_correction_mask;  ///< excluded pairs that get the Ewald correction here
};

/// Entries begin … end-1 of a list.
struct ListRange {
    std::int32_t begin, end;

    [[gnu::always_inline]] int count() const { return end - begin; }
};

/// To which i clusters of a group a j cluster is near: the first only, the second only, or both.
enum NearWhich { near_first, near_second, near_both };

/// One i cluster, or two consecutive ones of a column.
struct IClusters {
    std::int32_t cluster;
    std::int32_t count;  ///< 2: the next cluster is the second
    /// Image shift from the base to the j clusters, in quarters of the cell's vectors, see ClusterView.
    std::int32_t image_shift[3];
    bool uses_minimum_image;  ///< j particles are taken at their minimum image from the base
    ListRange masked[2];      ///< of each of them, consecutively
};

/// i clusters and the clusters near them.
struct ClusterGroup {
    IClusters i;
    ListRange plain[3];  ///< by NearWhich
};

/// i clusters and the slots near them, including those of masked pairs. Slots near both i clusters are stored between
/// those near one of them, so that each cluster's slots are contiguous. Of those near both, slots known to have no
/// Lennard-Jones site come last of all.
struct ParticleGroup {
    IClusters i;
    ListRange all;
    /// For each i cluster. Clusters of masked pairs begin at `masked_begin`, before the plain slots of the first i
    /// cluster and after those of the second.
    ListRange plain[2];
    std::int32_t masked_begin[2];
    ListRange without_lj;
};

/// Clusters whose forces are contiguous in the force buffer of a task.
inline constexpr int clusters_per_block = 32;
inline constexpr int slots_per_block = clusters_per_block * cluster_size;

/// Numbers stored for `count` parameters of a particle: whole records.
[[gnu::always_inline]] inline constexpr int parameter_stride(int count) {
    return (count + record_size - 1) / record_size * record_size;
}

/// Steps along the vectors of a cell, 2^32 per vector, and one unused number.
using Steps [[gnu::vector_size(record_size * sizeof(std::uint32_t))]] = std::uint32_t;
using SignedSteps [[gnu::vector_size(record_size * sizeof(std::int32_t))]] = std::int32_t;

/// The number of lowest bits of a step count that encode the type, and the maximum number of types.
inline constexpr int type_bits = 2, max_types = 1 << 3 * type_bits;

/// Coordinates and parameters of all slots. Coordinates are relative to the cluster's reference, a nearby grid point of
/// the cell: they stay small, which makes float precise enough. References are counted in steps, whose differences wrap
/// around with the cell: read as a signed number, a difference is that to the image within half of each vector,
/// whichever it is. For other images (in small cells), groups have an image shift in quarters of the vectors.
template <class Real> struct ClusterView {
    Real const* coordinates;  ///< records; the fourth number is a charge if a force has set it
    /// Records, or null: positions in the cell in steps, and the same charge. The lowest bits of the three step counts
    /// are not part of the position: they encode the particle's type.
    Real const* points;
    Real const* type_table;  ///< parameters of each type, or null: parameter m of type k is at max_types m + k
    int type_count, parameters_per_type;  ///< the number of types, and of each type's parameters
    Real const* parameters;               ///< records, one or several for each slot
    std::uint32_t const* references;      ///< records: for each slot, that of its cluster
    std::uint16_t const* without_lj;      ///< for each cluster: bit 4n is set where slot n has no Lennard-Jones site
    double const* cell;                   ///< the nine components of its vectors
    /// Records of a step along each vector: a.x, b.y and c.z; b.x; c.x and c.y.
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
    /// The base of coordinates in loops over the pairs of i clusters: the middle between their references.
    [[gnu::always_inline]] Steps base_of(IClusters const& i) const {
        Steps const first = reference_of(i.cluster), last = reference_of(i.cluster + i.count - 1);
        return first + (Steps)((SignedSteps)(last - first) >> 1);
    }
};

/// Bounds of clusters along each axis; at least 16 numbers may be read beyond the end.
struct BoundsView {
    float const *lower[3], *upper[3];
};

/// Clusters first … last-1.
struct ClusterRange {
    std::int32_t first, last;
};

/// One task's list of cluster pairs.
struct ClusterList {
    ClusterView<float> clusters;  ///< rounded from other precisions
    ClusterGroup const* groups;
    int group_count;
    MaskedPair const* masked;
    std::int32_t const* plain[3];  ///< by NearWhich
};

/// A pruned list of clusters to write: the squared radius, and the arrays and their final sizes.
struct PrunedClusterList {
    float radius2;
    ClusterGroup* groups;
    MaskedPair* masked;
    std::int32_t* plain[3];
    int group_count, masked_count, plain_count[3];
};

/// Sections of a group of particles, in order.
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

/// One task's part of a list of particles.
template <class Real> struct PairView {
    ClusterView<Real> clusters;
    ParticleGroup const* groups;
    int group_count;
    MaskedPair const* masked;
    std::int32_t const* slots;  ///< of j particles; without a cutoff, whole clusters instead
    bool lists_clusters;
    std::int32_t padding_slot;  ///< a slot that is far from everything
    std::int32_t slot_mask;     ///< the bits of a slot that are its buffer index
    Real* forces;               ///< records of the slots that the task touches; the fourth number is unused
    Real* sums;                 ///< per-slot sums of every quantity that interactions sum
    std::ptrdiff_t sum_stride;  ///< from those of one quantity to those of the next
    /// Masked pairs must differ by less than this: half the box if two images of a pair can be at the cutoff.
    Real half_box[3];

    /// A slot's index in the task's buffers.
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
