// Pairs of multipole sites with scale factors, for devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <trotter/amoeba/multipole.hpp>
#include <trotter/device/runtime/vectors.hpp>

namespace trotter::amoeba {

/// The pairs whose interactions are scaled: left out of the sum over all pairs, and computed apart.
struct SpecialPairs {
    explicit SpecialPairs(std::vector<AmoebaMultipoleForce::Multipole> const& multipoles);

    std::vector<std::vector<int>> partners;  ///< of each particle, ascending
    std::vector<device::mm_int2> pairs;      ///< each once
    std::vector<double> scales;              ///< of each pair: of permanent moments, the fields d and p, and 0
};


}  // namespace trotter::amoeba
