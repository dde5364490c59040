// Memory layout of constraint networks for work-groups: batches of slots, pairs and colors.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <trotter/common/constraints/cluster.hpp>
#include <trotter/device/runtime/vectors.hpp>

namespace trotter::device {

/// Colors the pairs of a network greedily; pairs of one color share no particle.
std::vector<std::size_t> colors_of(std::vector<TiedPair> const& network);

/// All networks in batches: small networks share batches, so that a work-group has enough work; larger ones follow, one
/// per batch.
struct NetworkLayout {
    static constexpr std::size_t small = 64;  ///< slots of a batch for a small work-group

    std::vector<std::int32_t> slots;       ///< particle of each slot
    std::vector<mm_int2> pairs;            ///< constrained pairs of slots
    std::vector<double> squares;           ///< squared distances of pairs [nm²]
    std::vector<std::int32_t> color_ends;  ///< for each batch and color, the end of its pairs
    std::vector<std::int32_t>
        batches;  ///< offsets of each batch's slots, pairs and colors; then the ends
    std::size_t small_count = 0, count = 0;

    explicit NetworkLayout(std::vector<std::vector<TiedPair>> const& networks);

private:
    static std::map<int, std::size_t> particles_of(std::vector<TiedPair> const& network);
    void begin_batch();

    void add(std::vector<std::vector<TiedPair> const*> const& networks);
};

}  // namespace trotter::device
