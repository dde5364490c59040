// Networks of constraints as groups of work-items see them: batches of slots, pairs and colours.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <trotter/common/constraints/cluster.hpp>
#include <trotter/device/runtime/vectors.hpp>

namespace trotter::device {

/// For each pair of a network a colour, such that pairs of one colour share no particle: always the first that is free.
std::vector<std::size_t> colors_of(std::vector<TiedPair> const& network);

/// All networks in batches: small ones share one, so that a group of work-items has enough to do; each of the others
/// has its own, behind those.
struct NetworkLayout {
    static constexpr std::size_t small = 64;  ///< slots of a batch for a small group

    std::vector<std::int32_t> slots;       ///< particles
    std::vector<mm_int2> pairs;            ///< of slots
    std::vector<double> squares;           ///< of the distances of pairs [nm²]
    std::vector<std::int32_t> color_ends;  ///< of each batch and colour: the end of its pairs
    std::vector<std::int32_t>
        batches;  ///< where the slots, the pairs and the colours of each begin; and the ends of all
    std::size_t small_count = 0, count = 0;

    explicit NetworkLayout(std::vector<std::vector<TiedPair>> const& networks);

private:
    static std::map<int, std::size_t> particles_of(std::vector<TiedPair> const& network);
    void begin_batch();

    void add(std::vector<std::vector<TiedPair> const*> const& networks);
};

}  // namespace trotter::device
