// Generates the pair loop for one or several interactions of one range.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/device/pairs/pair_interaction.hpp>

namespace trotter::device {

/// Parameters of every pair loop, then those of lists with or without a cutoff, sums, and those of the interactions.
inline constexpr char const
    *loop_parameters =
        "GLOBAL const coordinate4* RESTRICT positions, GLOBAL const coordinate4* RESTRICT box, "
        "GLOBAL const int* RESTRICT marks, GLOBAL const int4* RESTRICT slots, int items, int list_parts, int splits",
    *list_parameters =
        "GLOBAL const int* RESTRICT starts, GLOBAL const int* RESTRICT partners, GLOBAL const int* RESTRICT slot_of, "
        "GLOBAL const int4* RESTRICT spans, GLOBAL const mm_ulong* RESTRICT used, GLOBAL const uint* RESTRICT pool, "
        "GLOBAL const int4* RESTRICT centers, GLOBAL const float4* RESTRICT halves, int capacity",
    *exclusion_parameters = "GLOBAL const uint* RESTRICT exclusion_words",
    *force_parameter = "GLOBAL mm_ulong* RESTRICT forces", *sum_parameter = "GLOBAL coordinate* RESTRICT sums";

/// A work-group has PAIR_WARPS times 32 work-items; each 32 process an item: lanes hold one particle j of an entry
/// each, while the group's particles i are in local memory, by j clusters. Sums for particles i are reduced over the
/// lanes, with eight registers per component; there is one fixed-point addition per j and, at the end, per i. In
/// lockstep, pairs out of range are computed and masked. Lane n begins with particle n/4 of a j cluster, so that lanes
/// that exchange sums hold them in the same registers; data of a j cluster's particles are in local memory twice in
/// succession, so that all lanes read consecutively.
std::string pair_text(std::vector<PairInteraction const*> interactions, PairSums wants);

/// Local memory that each warp of the loop takes, in bytes.
std::size_t local_bytes_per_warp(std::vector<PairInteraction const*> interactions, PairSums wants,
                                 std::size_t real_size);

}  // namespace trotter::device
