// Generates the interaction of an item's lanes with the eight particles of a j cluster.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>

#include <trotter/device/pairs/loop_parts.hpp>

namespace trotter::device {

/// Each lane pairs its particle with the SLOTS particles of a j cluster in turn; sums for these are reduced over the
/// lanes. Short formulas are unrolled over the slots, so that the sums stay in registers until the end. A long formula
/// is written once, for the device's instruction cache is small: lanes pass a particle's sum to the lane that meets it
/// next.
class JClusterText {
public:
    explicit JClusterText(LoopParts const& parts) : parts_(parts) {}

    std::string text() const;
    /// For lanes with a large force after all j clusters of a chunk: adds the correction by exact positions.
    std::string close_pairs() const;

private:
    // On an H200 the derivatives of GBn2, about 145 statements, are 8 us faster written once, and those of OBC2, two
    // alternatives of about 75, are 2 us slower.
    static constexpr std::ptrdiff_t many_statements = 125;

    bool is_long() const;

    std::string handed_on() const;

    std::string unrolled() const;
    std::string declare() const;
    std::string clear() const;
    // A branch in each slot would serialize the slots, so lanes in lockstep have a loop for each case; most chunks are
    // plain: no exclusions, and no minimum-image shifts. Pairs that a lane does not need count as out of range: they
    // are computed and masked.
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
    // `element` selects the slot's element of a channel.
    std::string slots(std::string const& unroll, std::string const& is_met, std::string const& to_nearest_image,
                      std::string const& element, std::string const& hand_on) const;
    std::string slot_texts(std::string const& element) const;
    std::string squared_distance() const;
    std::string exact_where_close() const;
    // Declares the names used by an interaction's source.
    std::string slot_names(std::size_t k) const;
    std::string slot_sums(std::size_t k, std::string const& counts, std::string const& element) const;
    std::string after_slot(std::string const& element) const;
    std::string add_up() const;

    LoopParts const& parts_;
};

}  // namespace trotter::device
