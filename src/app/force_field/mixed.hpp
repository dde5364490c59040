// A mixing function for hashes.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace trotter::app::force_field {

/// The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): every bit of the result depends on all of `x`.
constexpr std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

}  // namespace trotter::app::force_field
