// The text of what the lanes of an item do with the eight particles of a j cluster.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>

#include <trotter/device/pairs/loop_parts.hpp>

namespace trotter::device {

/// Each lane meets its own particle with the SLOTS particles of a j cluster, one after the other, and what these get is
/// added up over the lanes. Short formulas are written once for each slot, so that what the particles get stays in
/// registers and is added up at the end. A long one stands in the text once, for a device reads its instructions from
/// a small store: lanes hand what a particle gets on to those which meet it next.
class JClusterText {
public:
    explicit JClusterText(LoopParts const& parts) : parts_(parts) {}

    std::string text() const;
    /// For a lane that has met all j clusters of a chunk and got a large force: the difference that exact places make.
    std::string close_pairs() const;

private:
    // On an H200 the derivatives of GBn2, some 145 statements, are 8 us faster handed on, and those of OBC2, two
    // alternatives of some 75, are 2 us slower.
    static constexpr std::ptrdiff_t many_statements = 125;

    bool is_long() const;

    std::string handed_on() const;

    std::string unrolled() const;
    std::string declare() const;
    std::string clear() const;
    // A branch in each slot would keep the slots apart, so there is a loop for each case where lanes go in step; most
    // chunks are plain: no pair is excluded, and all are nearest to each other as they are. What a lane does not need
    // is then out of range, and is computed and left out as that is.
    std::string plain_slots() const;
    std::string special_slots() const;
    static std::string wrap() { return "delta = wrapped(edges, delta);\n"; }
    static constexpr char const* is_in_range = R"(
#ifdef USE_CUTOFF
const bool is_met = r2 <= CUTOFF_SQUARED && (skipped_here >> n & 1) == 0;
#else
const bool is_met = (skipped_here >> n & 1) == 0;
#endif
#if WARP_SIZE < 32
if (!is_met) continue;
#endif
const bool isExcluded = !is_met || (excluded_here >> n & 1) != 0;
)";
    static constexpr char const* is_in_range_where_plain = R"(
#ifdef USE_CUTOFF
const bool is_met = r2 <= CUTOFF_SQUARED;
#else
const bool is_met = true;
#endif
const bool isExcluded = !is_met;
)";
    std::string unrolled_slots(std::string const& is_met, std::string const& to_nearest_image) const;
    // `element` says which of the numbers of a channel is the slot's.
    std::string slots(std::string const& unroll, std::string const& is_met, std::string const& to_nearest_image,
                      std::string const& element, std::string const& hand_on) const;
    std::string slot_texts(std::string const& element) const;
    std::string squared_distance() const;
    std::string exact_where_close() const;
    // What the text of an interaction finds under its own names.
    std::string slot_names(std::size_t k) const;
    std::string slot_sums(std::size_t k, std::string const& counts, std::string const& element) const;
    std::string after_slot(std::string const& element) const;
    std::string add_up() const;

    LoopParts const& parts_;
};

}  // namespace trotter::device
