// Exclusions in the format of the pair loops on a device.
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

    /// `padded` includes padding particles at the end. Has at least one partner, since kernels take no empty arrays.
    ExcludedPartners(std::vector<std::vector<int>> const& exclusions, std::size_t padded);
};

/// Without a cutoff, particles stay in their slots and exclusions are precomputed: a bit mask for each group from the
/// first to the last with partners of a particle.
struct ExclusionWords {
    std::vector<mm_int4> slots{};  ///< first and last group, offset of the masks, particle
    std::vector<std::uint32_t> words{};

    /// `atoms` are the particles in the slots, `slot_of` the inverse. Throws UnsupportedError for too many masks.
    ExclusionWords(std::vector<std::vector<int>> const& exclusions, std::vector<std::int32_t> const& atoms,
                   std::vector<std::int32_t> const& slot_of);
};

}  // namespace trotter::device
