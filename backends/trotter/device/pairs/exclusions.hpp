// Exclusions as pair loops on a device read them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/device/runtime/vectors.hpp>

namespace trotter::device {

/// The partners of particle i are partners[starts[i] … starts[i + 1] - 1].
struct ExcludedPartners {
    std::vector<std::int32_t> starts{}, partners{};

    /// Of so many particles, the last of which are padding. There is one partner at least, as kernels take no array
    /// without elements.
    ExcludedPartners(std::vector<std::vector<int>> const& exclusions, std::size_t padded);
};

/// Without a cutoff particles stay in their slots, and what is excluded is known beforehand: a word for each group
/// from the first to the last that has partners of a particle.
struct ExclusionWords {
    std::vector<mm_int4> slots{};  ///< first and last group, where the words begin, and the particle
    std::vector<std::uint32_t> words{};

    /// `atoms` stand in the slots, and `slot_of` says where each is. Throws UnsupportedError where there are too many words.
    ExclusionWords(std::vector<std::vector<int>> const& exclusions, std::vector<std::int32_t> const& atoms,
                   std::vector<std::int32_t> const& slot_of);
};

}  // namespace trotter::device
