// Exclusions: pairs of particles left out of pair loops.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter::cpu {

/// Excluded pairs, and to which of them the pair loop applies the Ewald correction.
template <class Arch> struct Exclusions {
    std::vector<int> first, partners;  ///< those of particle i are partners[first[i] … first[i + 1] - 1]
    bool screened = false;             ///< the pair loop applies Ewald corrections
    bool periodic = false;             ///< between minimum images, else between unwrapped positions
    double reach = 0;                  ///< only to pairs nearer than this; the caller corrects the others

    Exclusions() = default;
    Exclusions(std::vector<std::vector<int>> const& partners_of, bool is_screened, bool is_periodic)
        : first{0}, screened(is_screened), periodic(is_periodic) {
        for (auto const& list : partners_of) {
            partners.insert(partners.end(), list.begin(), list.end());
            first.push_back(static_cast<int>(partners.size()));
        }
    }

    bool are_of(std::vector<std::vector<int>> const& partners_of) const {
        Exclusions const other(partners_of, false, false);
        return other.first == first && other.partners == partners;
    }

    /// Whether the pair loop corrects the pair: the criterion for the loop and for the caller.
    bool in_loop(std::vector<Vec3<>> const& positions, Box const& box, int i, int j) const {
        Vec3<> d = positions[static_cast<std::size_t>(i)] - positions[static_cast<std::size_t>(j)];
        if (periodic) d = box.minimum_image(d);
        return screened && dot(d, d) < reach * reach;
    }
};

}  // namespace trotter::cpu
