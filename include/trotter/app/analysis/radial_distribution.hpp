// Radial distribution functions of atoms in periodic boxes.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <trotter/app/analysis/frames.hpp>

namespace trotter::app {

/// Which pairs of atoms do not count.
enum class ExcludedPairs { none, residue, molecule };

/// Options of RadialDistribution.
struct RadialDistributionOptions {
    double bin_width = 0.002;   ///< [nm]
    double maximum = 1;         ///< largest distance [nm], at most half the width of the box
    ExcludedPairs excluded = ExcludedPairs::residue;  ///< pairs inside of these do not count
};

/// A bin of a radial distribution.
struct RadialBin {
    double distance = 0;      ///< middle of the bin [nm]
    double density = 0;       ///< g: pairs of the bin by those of an ideal gas
    double coordination = 0;  ///< mean number of atoms of the second group up to the end of the bin around one of the first
};

/// Counts pairs of atoms by distance. With the pairs n in the shell of volume v, of N pairs in all, in frames of volume
/// V, g = sum(n) / (N v sum(1/V)).
class RadialDistribution {
public:
    /// Atoms around which, and atoms that are counted. Throws InputError if one of both is empty or has no pair, or for
    /// options out of range.
    RadialDistribution(std::vector<int> centers, std::vector<int> counted, Frames const& frames,
                       RadialDistributionOptions const& options);

    /// Adds a frame. Throws InputError, naming the frame, if it has no box, or one less than twice `maximum` wide.
    void add(Frame const& frame);

    /// Bins from 0 to `maximum`.
    std::vector<RadialBin> bins() const;

private:
    bool is_excluded(int atom1, int atom2) const;

    std::vector<int> centers_, counted_;
    RadialDistributionOptions options_;
    std::vector<int> units_;  // of each atom, within which pairs are excluded; none if there are no such units
    std::vector<std::int64_t> pairs_;  // in each bin
    double pair_count_ = 0;            // of a frame at any distance
    double inverse_volumes_ = 0;       // sum [1/nm³]
    std::int64_t frame_count_ = 0;
};

}  // namespace trotter::app
